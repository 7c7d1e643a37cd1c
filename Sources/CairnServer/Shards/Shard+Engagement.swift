package import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWire
internal import Logging

/// Engagement counts (STA-4): counted here, written to disk every few seconds.
extension Shard {
    private static let engagementPause: Duration = .seconds(5)

    func count(_ what: String) {
        engagement.count(what, at: context.clock.now)
    }

    /// Puts what was counted on disk when its time has come. While the disk does not keep up it goes on adding up.
    func keepEngagement(now: MonotonicTime) {
        guard now - engagementKeptAt >= Self.engagementPause else { return }
        engagementKeptAt = now
        let time = context.clock.now
        // A person who stays over midnight counts on both days.
        for case let session? in sessions {
            if let user = session.user { engagement.note(user.account, at: time) }
        }
        guard !engagement.isEmpty, context.store.acceptsChanges else { return }
        let (statements, store, logger) = (engagement.take(), context.store, context.logger)
        Task {
            do {
                try await store.commit(statements)
            } catch {
                logger.warning("some figures of engagement are lost", metadata: ["cause": "\(error)"])
            }
        }
    }

    /// What has been counted and is not on disk yet.
    package func takeEngagement() -> [Statement] { engagement.take() }
}
