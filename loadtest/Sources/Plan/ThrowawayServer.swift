import Foundation
import Synchronization

/// A server for one run: started on a free port with an empty database, ended and deleted afterwards.
final class ThrowawayServer: Sendable {
    let url: String
    /// The version in the server's greeting.
    let version: String?
    let pid: Int32
    private let program: URL
    private let process: Process
    private let folder: URL
    private let output: Output

    /// The failure, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let startSeconds = 20
    private static let stopSeconds = 20

    /// `cairn`, beside this program.
    private static func usualProgram() throws(Failure) -> URL {
        guard let own = Bundle.main.executableURL else {
            throw Failure(description: "where this program is, is unknown")
        }
        return own.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("cairn")
    }

    /// - Parameters:
    ///   - program: nil = `cairn`, beside this program.
    ///   - settings: `key=value` for `--set`.
    ///   - core: the processor to pin it to; nil = any.
    static func start(program: String?, settings: [String], core: Int?) throws(Failure) -> ThrowawayServer {
        let cairn = if let program { URL(fileURLWithPath: program) } else { try usualProgram() }
        guard FileManager.default.isExecutableFile(atPath: cairn.path) else {
            throw Failure(description: "no server at \(cairn.path): build it, or say --url")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "cairn-crowd-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0...(.max)))")
        let output = Output()
        let process = Process()
        var arguments = ["serve", "--port", "0", "--data", folder.path + "/world"]
        // Does not use the user's key file, which belongs to another world.
        if !settings.contains(where: { $0.hasPrefix("storage.keyFile=") }) {
            arguments += ["--set", "storage.keyFile=\(folder.path)/cairn.key"]
        }
        // Bots sign in by name. A setting and no word, because servers of before the word are measured, too.
        if !settings.contains(where: { $0.hasPrefix("accounts.open=") }) {
            arguments += ["--set", "accounts.open=true"]
        }
        for setting in settings { arguments += ["--set", setting] }
        if let core {
            // taskset replaces itself by the server, so the process is the server's.
            process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            process.arguments = ["-c", "\(core)", cairn.path] + arguments
        } else {
            process.executableURL = cairn
            process.arguments = arguments
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        pipe.fileHandleForReading.readabilityHandler = { handle in output.append(handle.availableData) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try process.run()
        } catch {
            throw Failure(description: "the server could not be started: \(error)")
        }
        let deadline = Date().addingTimeInterval(Double(startSeconds))
        while true {
            if let url = output.socketURL {
                return ThrowawayServer(
                    url: url, version: output.version, program: cairn, process: process, folder: folder, output: output)
            }
            guard process.isRunning, Date() < deadline, Interruption.reason == nil else { break }
            Thread.sleep(forTimeInterval: 0.02)
        }
        _ = end(process, within: stopSeconds)
        try? FileManager.default.removeItem(at: folder)
        if let reason = Interruption.reason { throw Failure(description: reason) }
        throw Failure(description: "the server did not say where its socket is:\n\(output.lastLines)")
    }

    private init(url: String, version: String?, program: URL, process: Process, folder: URL, output: Output) {
        self.program = program
        self.url = url
        self.version = version
        self.process = process
        self.folder = folder
        self.output = output
        pid = process.processIdentifier
    }

    /// Runs `cairn admin` for this server.
    func administer(_ words: [String]) throws(Failure) {
        let (admin, said) = (Process(), Pipe())
        admin.executableURL = program
        admin.arguments = ["admin"] + words + ["--socket", folder.path + "/world/stats.sock"]
        (admin.standardOutput, admin.standardError) = (said, said)
        do { try admin.run() } catch { throw Failure(description: "cairn admin cannot be run: \(error)") }
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        admin.waitUntilExit()
        guard admin.terminationStatus == 0 else {
            throw Failure(description: "cairn admin \(words.joined(separator: " ")): \(text)")
        }
    }

    /// Ends the server with SIGTERM and deletes its data.
    /// - Returns: its error output; nil when it exited with 0.
    func stop() -> String? {
        let hasEnded = Self.end(process, within: Self.stopSeconds)
        // The data is deleted only now, because a running server would continue to write there.
        try? FileManager.default.removeItem(at: folder)
        guard hasEnded else {
            return "the server did not end within \(Self.stopSeconds) s of SIGTERM"
        }
        guard process.terminationStatus == 0 else {
            return "the server ended with status \(process.terminationStatus):\n\(output.lastLines)"
        }
        return nil
    }

    /// Ends a process with SIGTERM, and with SIGKILL when that takes too long. The process has ended when this returns.
    /// - Returns: whether SIGTERM was enough.
    private static func end(_ process: Process, within seconds: Int) -> Bool {
        if process.isRunning { process.terminate() }
        let deadline = Date().addingTimeInterval(Double(seconds))
        while process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
        guard process.isRunning else { return true }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return false
    }

    /// Reads the server's output and keeps the last part.
    private final class Output: Sendable {
        private let text = Mutex("")
        private static let charactersMax = 16_384

        func append(_ data: Data) {
            text.withLock { text in
                text += String(decoding: data, as: UTF8.self)
                if text.count > Self.charactersMax, socketLine(text) == nil {
                    text = String(text.suffix(Self.charactersMax))
                }
            }
        }

        var socketURL: String? { text.withLock { socketLine($0) } }

        /// From the line that begins the greeting, such as `Cairn 0.1.0   world: kept`; it comes before the socket's.
        var version: String? {
            let lines = text.withLock { $0.split(separator: "\n") }
            guard let line = lines.first(where: { $0.hasPrefix("Cairn ") }) else { return nil }
            return line.split(separator: " ").dropFirst().first.map(String.init)
        }

        var lastLines: String {
            text.withLock { $0.split(separator: "\n").suffix(20).joined(separator: "\n") }
        }

        /// From a line such as `Socket    ws://127.0.0.1:40001/v1`.
        private func socketLine(_ text: String) -> String? {
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1) {
                let words = line.split(separator: " ")
                if words.count >= 2, words[0] == "Socket", words[1].contains("://") { return String(words[1]) }
            }
            return nil
        }
    }
}
