import ArgumentParser
import Foundation
import Glibc

/// Runs one plan against a throw-away server or an existing one.
struct CrowdRunner: Sendable {
    var plan: CrowdPlan
    /// An existing server; nil = a throw-away one.
    var url: String?
    /// PEM file of the certificates that are trusted; nil = the system's.
    var authorities: String?
    /// File of sign-in tokens for it, one for each of the people.
    var tokenFile: String?
    /// Whether placed instances stay on it.
    var keepsThings = false
    var serverPID: Int32?
    /// Program of a throw-away server; nil = `cairn`, beside this program.
    var server: String?
    /// Loops of a throw-away server; nil = its default.
    var loops: Int?
    var serverSettings: [String] = []
    /// Processors to pin the throw-away server and the crowd to.
    var pins: (server: Int, crowd: Int)?
    /// Suppresses the line of progress each second.
    var isQuiet = false

    /// The server on the first processor, the crowd on the second; nil where there is only one.
    static var usualPins: (server: Int, crowd: Int)? {
        ProcessInfo.processInfo.activeProcessorCount > 1 ? (server: 0, crowd: 1) : nil
    }

    /// Runs to the end. A failure to run goes to standard error, and the command fails.
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
            let started = try ThrowawayServer.start(
                program: self.server, settings: effectiveSettings, core: pins?.server)
            server = started
            destination = try Destination(endpoint: Endpoint(url: started.url), authorities: authorities)
        }
        // Checked before any bot connects, so that an impossible run fails at once.
        let secure =
            try destination.endpoint.isSecure
            ? SecureClient(host: destination.endpoint.host, authorities: destination.authorities) : nil
        if let pins { pinSelf(to: pins.crowd) }
        let pid = server?.pid ?? serverPID
        let (plan, isQuiet) = (plan, isQuiet)
        nonisolated(unsafe) let handedOver = secure
        // Handed over once to the only thread that uses it from now on.
        let progress: @Sendable (SecondFigures) -> Void = { if !isQuiet { Printing.second($0) } }
        var report: CrowdReport
        if plan.tours > 0 {
            guard let server else {
                throw ThrowawayServer.Failure(description: "tours are walked on a throw-away server")
            }
            report = try await walkTours(destination, on: server) { makers in
                await Self.onThread {
                    TourCrowd(
                        plan: plan, destination: destination, secure: handedOver, makers: makers, serverPID: pid,
                        progress: progress
                    ).run()
                }
            }
        } else {
            report = await Self.onThread {
                Crowd(
                    plan: plan, destination: destination, secure: handedOver, serverPID: pid, progress: progress
                ).run()
            }
        }
        if let complaint = server?.stop(), report.failure == nil { report.failure = complaint }
        if let reason = Interruption.reason { throw ThrowawayServer.Failure(description: reason) }
        report.server = serverPlan
        report.made.version = server?.version
        return report
    }

    /// A crowd runs on a thread of its own from its creation to its end.
    static func onThread<Result: Sendable>(_ run: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { done in
            let thread = Thread { done.resume(returning: run()) }
            thread.name = "cairn-crowd"
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// What stays of the crowd in an existing world, printed before the run.
    private var whatStays: String {
        let accounts =
            tokenFile == nil ? "\(plan.people) accounts whose names begin with b stay in it" : "no account is made"
        return "cairn-crowd: the world at \(url ?? "") is kept: \(accounts), what they place "
            + (keepsThings ? "stays, too" : "is removed at the end")
    }

    /// The settings of a throw-away server; nil for an existing server.
    var serverPlan: ServerPlan? {
        guard url == nil else { return nil }
        return ServerPlan(
            settings: effectiveSettings, loops: loops, serverProcessor: pins?.server, crowdProcessor: pins?.crowd)
    }

    /// Settings that the plan needs, unless the command line has others.
    private var effectiveSettings: [String] {
        func key(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }
        let said = Set(serverSettings.map(key))
        return plan.serverSettings(loops: loops).filter { !said.contains(key($0)) } + serverSettings
    }

    /// Raises the limit of open files, for a socket of each bot, up to the system's bound. A throw-away server inherits
    /// it.
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
