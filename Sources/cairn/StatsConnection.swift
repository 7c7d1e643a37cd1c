import ArgumentParser
import CairnConfiguration
import CairnOperators
import Foundation

/// The options that select the server.
struct StatsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The server's stats socket; without it the one that the settings name.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("Folder of the server's database (storage.path).", valueName: "folder"))
    var data: String?

    @OptionGroup var settings: SettingOptions

    /// Path of the stats socket.
    func path() throws -> String {
        if let socket { return socket }
        return path(in: try load())
    }

    /// The settings of the selected server.
    func load() throws -> LoadedConfiguration {
        try settings.load(flags: [(flag: "--data", key: "storage.path", value: data)])
    }

    func path(in loaded: LoadedConfiguration) -> String { loaded.configuration.stats.socketPath ?? "stats.sock" }
}

/// A connection to a running server's stats socket: a command is one line, its answer lines of JSON.
final class StatsConnection {
    let descriptor: Int32
    private var input: [UInt8] = []
    private let path: String
    private let seconds: Double

    /// - Parameter seconds: longest wait for each answer.
    /// - Throws: an error that names the attempt and its cause.
    init(path: String, seconds: Double = 10) throws {
        self.path = path
        self.seconds = seconds
        descriptor = try OperatorSocket.connect(to: path, seconds: seconds)
    }

    deinit {
        close(descriptor)
    }

    func send(_ command: String) throws {
        let line = Array((command + "\n").utf8)
        var sent = 0
        while sent < line.count {
            let count = Foundation.send(descriptor, Array(line[sent...]), line.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw StatsConnectionLost(path: path, hasEnded: true) }
            sent += count
        }
    }

    /// Waits for the next line; returns it without its line break.
    func line() throws -> [UInt8] {
        let deadline = Date.now.addingTimeInterval(seconds)
        while true {
            if let line = nextLine() { return line }
            try wait(until: deadline)
            try receive(flags: 0)
        }
    }

    /// The lines that have arrived already. Does not wait.
    func linesAtHand() throws -> [[UInt8]] {
        try receive(flags: Int32(MSG_DONTWAIT))
        var lines: [[UInt8]] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    private func nextLine() -> [UInt8]? {
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = Array(input[..<end])
        input.removeSubrange(...end)
        return line
    }

    private func receive(flags: Int32) throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw StatsConnectionLost(path: path, hasEnded: true) }
        input.append(contentsOf: buffer[..<count])
    }

    /// Sends a command and waits for its whole answer; a line with `more` is followed by another one.
    func ask(_ command: String) throws -> [[UInt8]] {
        try send(command)
        var lines: [[UInt8]] = []
        repeat { lines.append(try line()) } while try Self.isFollowed(lines.last ?? [])
        return lines
    }

    private func wait(until deadline: Date) throws {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else { throw StatsConnectionLost(path: path, hasEnded: false) }
            if poll(&polled, 1, Int32((left * 1_000).rounded(.up))) > 0 { return }
        }
    }

    /// Whether another line belongs to the answer.
    static func isFollowed(_ line: [UInt8]) throws -> Bool {
        struct Page: Decodable { let more: Bool? }
        return try JSONDecoder().decode(Page.self, from: Data(line)).more ?? false
    }
}

/// The server has ended the connection, or does not answer.
struct StatsConnectionLost: Error, CustomStringConvertible {
    let path: String
    let hasEnded: Bool

    var description: String {
        hasEnded ? "the server has closed its stats socket \(path)" : "the server does not answer on \(path)"
    }
}
