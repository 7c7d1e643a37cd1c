internal import CairnAdaptors
internal import CairnConfiguration

extension ServerContext {
    /// Starts the adaptors, or puts other settings in force.
    package func applyAdaptors() async {
        await adaptors.apply(AdaptorSettings(configuration), logger: logger)
        await postman.apply(configuration, logger: logger)
    }

    /// Ends the adaptors' processes; calls fail from now on.
    package func stopAdaptors() async { await adaptors.stop() }

    /// Sends the mails and pushes of the outbox until the task is cancelled, and begins recoveries that were asked for
    /// before this process.
    package func deliverMails() async {
        await signIn.resumeRecoveries()
        await postman.run()
    }
}
