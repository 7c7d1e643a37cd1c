import ArgumentParser
import CairnServer
import Foundation

/// Which server to ask.
struct StatsOptions: ParsableArguments {
    @Option(help: "The server's stats socket; without it the one that the settings name.")
    var socket: String?

    @Option(help: "Folder of the server's database (storage.path).")
    var data: String?

    @OptionGroup var settings: SettingOptions

    /// Path of the stats socket.
    func path() throws -> String {
        if let socket { return socket }
        let loaded = try settings.load(flags: [(flag: "--data", key: "storage.path", value: data)])
        return loaded.configuration.stats.socketPath ?? "stats.sock"
    }
}

/// A connection to a running server's stats socket: a line goes out, lines of JSON come back.
final class StatsConnection {
    let descriptor: Int32
    private var input: [UInt8] = []

    /// - Throws: what was tried and why it failed.
    init(path: String) throws {
        descriptor = try OperatorSocket.connect(to: path)
    }

    deinit {
        close(descriptor)
    }

    func send(_ command: String) throws {
        let line = Array((command + "\n").utf8)
        var sent = 0
        while sent < line.count {
            let count = Foundation.send(descriptor, Array(line[sent...]), line.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw StatsConnectionLost() }
            sent += count
        }
    }

    /// The next line, without its break. Waits for it.
    func line(seconds: Double = 10) throws -> [UInt8] {
        let deadline = Date.now.addingTimeInterval(seconds)
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<end])
                input.removeSubrange(...end)
                return line
            }
            try wait(until: deadline)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw StatsConnectionLost() }
            input.append(contentsOf: buffer[..<count])
        }
    }

    /// Sends a command and gives its answer, which says by `more` whether another line belongs to it.
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
            guard left > 0 else { throw StatsConnectionLost() }
            if poll(&polled, 1, Int32((left * 1_000).rounded(.up))) > 0 { return }
        }
    }

    private static func isFollowed(_ line: [UInt8]) throws -> Bool {
        struct Page: Decodable { let more: Bool? }
        return try JSONDecoder().decode(Page.self, from: Data(line)).more ?? false
    }
}

/// The server has ended the connection, or does not answer.
struct StatsConnectionLost: Error, CustomStringConvertible {
    var description: String { "the server does not answer on its stats socket" }
}
