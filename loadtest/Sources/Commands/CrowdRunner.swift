import ArgumentParser
import Foundation
import Glibc

/// Carries out one plan against a server: its own, or somebody else's.
struct CrowdRunner: Sendable {
    var plan: CrowdPlan
    /// Somebody else's server; nil = a throw-away one.
    var url: String?
    /// PEM file of the certificates that are trusted there; nil = the system's.
    var authorities: String?
    /// File of sign-in tokens for there, one for each of the people.
    var tokenFile: String?
    /// Leaves there what was placed.
    var keepsThings = false
    var serverPID: Int32?
    /// Loops of a throw-away server; nil = as many as it likes.
    var loops: Int?
    var serverSettings: [String] = []
    /// Processors to pin the throw-away server and the crowd to.
    var pins: (server: Int, crowd: Int)?
    /// Without the line a second.
    var isQuiet = false

    /// The server on the first processor, the crowd on the second; nil where there is only one.
    static var usualPins: (server: Int, crowd: Int)? {
        ProcessInfo.processInfo.activeProcessorCount > 1 ? (server: 0, crowd: 1) : nil
    }

    /// Runs to the end; what keeps it from running goes to standard error, and the command fails.
    func report() async throws(ExitCode) -> CrowdReport {
        do {
            return try await Interruption.noting { try await run() }
        } catch {
            Printing.error("cairn-crowd: \(error)")
            throw ExitCode.failure
        }
    }

    /// Runs to the end, printing a line a second.
    func run() async throws -> CrowdReport {
        Self.raiseDescriptorLimit()
        var server: ThrowawayServer?
        let destination: Destination
        if let url {
            destination = try Destination(
                endpoint: Endpoint(url: url), authorities: authorities,
                tokens: tokenFile.map { try Destination.tokens(in: $0, for: self.plan.people) } ?? [],
                isKept: !keepsThings)
            Printing.error(whatStays)
        } else {
            let started = try ThrowawayServer.start(settings: effectiveSettings, core: pins?.server)
            server = started
            destination = try Destination(endpoint: Endpoint(url: started.url))
        }
        // Before anybody connects: what cannot work is said at once.
        let secure =
            try destination.endpoint.isSecure
            ? SecureClient(host: destination.endpoint.host, authorities: destination.authorities) : nil
        if let pins { pinSelf(to: pins.crowd) }
        let pid = server?.pid ?? serverPID
        let (plan, isQuiet) = (plan, isQuiet)
        nonisolated(unsafe) let handedOver = secure
        // Handed over once, to the thread that alone uses it from here on.
        // The crowd lives on a thread of its own from here to its end.
        var report = await withCheckedContinuation { (done: CheckedContinuation<CrowdReport, Never>) in
            let thread = Thread {
                let crowd = Crowd(plan: plan, destination: destination, secure: handedOver, serverPID: pid) {
                    if !isQuiet { Printing.second($0) }
                }
                done.resume(returning: crowd.run())
            }
            thread.name = "cairn-crowd"
            thread.stackSize = 8 << 20
            thread.start()
        }
        if let complaint = server?.stop(), report.failure == nil { report.failure = complaint }
        if let reason = Interruption.reason { throw ThrowawayServer.Failure(description: reason) }
        report.server = serverPlan
        report.made.version = server?.version
        return report
    }

    /// What somebody else's world has of the crowd for good, said before it goes there.
    private var whatStays: String {
        let accounts =
            tokenFile == nil ? "\(plan.people) accounts whose names begin with b stay in it" : "no account is made"
        return "cairn-crowd: the world at \(url ?? "") is kept: \(accounts), what they place "
            + (keepsThings ? "stays, too" : "is removed at the end")
    }

    /// What a throw-away server is told; nil for somebody else's server.
    var serverPlan: ServerPlan? {
        guard url == nil else { return nil }
        return ServerPlan(
            settings: effectiveSettings, loops: loops, serverProcessor: pins?.server, crowdProcessor: pins?.crowd)
    }

    /// What the plan needs, unless the command line says otherwise.
    private var effectiveSettings: [String] {
        func key(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }
        let said = Set(serverSettings.map(key))
        return plan.serverSettings(loops: loops).filter { !said.contains(key($0)) } + serverSettings
    }

    /// A socket each, up to what the system allows; the server started beside it inherits it.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func pinSelf(to core: Int) {
        let taskset = Process()
        taskset.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        taskset.arguments = ["-a", "-c", "-p", "\(core)", "\(ProcessInfo.processInfo.processIdentifier)"]
        taskset.standardOutput = FileHandle.nullDevice
        try? taskset.run()
        taskset.waitUntilExit()
    }
}
