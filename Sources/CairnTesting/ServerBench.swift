public import CairnConfiguration
public import CairnCore
public import CairnFeatures
public import CairnRoot
public import CairnWire
internal import Foundation
internal import Logging

/// A real server in this process: real sockets on a free port, real SQLite in a folder of its own.
public struct ServerBench: Sendable {
    public let server: RunningServer
    public let folder: TemporaryFolder

    /// The bound port.
    public var port: Int { server.port }

    /// Starts a server with limits so high that no test reaches them without lowering them.
    ///
    /// - Parameters:
    ///   - folder: folder of an earlier server, to continue its world; nil = a new world.
    ///   - register: the features; a test may have its own.
    ///   - change: changes of the test to the configuration.
    public static func start(
        loops: Int = 1, in folder: TemporaryFolder? = nil, register: FeatureRegister = Features.register,
        _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> ServerBench {
        let folder = try folder ?? TemporaryFolder()
        var configuration = Configuration()
        configuration.accounts.open = true
        configuration.listen.port = 0
        configuration.listen.loops = loops
        configuration.storage.path = folder.path
        configuration.storage.keyFile = folder.path + "/cairn.key"
        configuration.connections.messagesPerSecond = 100_000
        configuration.connections.messagesBurst = 100_000
        configuration.connections.bytesPerSecond = 1_000_000_000
        configuration.connections.bytesBurst = 1_000_000_000
        configuration.connections.positionsPerSecond = 100_000
        configuration.connections.perAccountMax = 1_000
        configuration.travel.speedMetresPerSecond = 0
        configuration.travel.cellsPerSecond = 1_000_000
        configuration.travel.cellsBurst = 1_000_000
        configuration.cells.instancesMax = 100_000
        for feature in TestingFeatures.all { feature.lift(&configuration.features) }
        change(&configuration)
        return ServerBench(
            server: try await RunningServer.start(configuration, register: register, logger: .quiet), folder: folder)
    }

    /// Starts a server, lends it to `body`, and stops it in every case.
    public static func serving<Result: Sendable>(
        loops: Int = 1, _ change: (inout Configuration) -> Void = { _ in },
        _ body: (ServerBench) async throws -> Result
    ) async throws -> Result {
        let bench = try await start(loops: loops, change)
        do {
            let result = try await body(bench)
            await bench.stop()
            return result
        } catch {
            await bench.stop()
            throw error
        }
    }

    /// Stops the server.
    public func stop() async {
        await server.stop()
    }

    // MARK: People

    /// A client that is connected and has its welcome.
    public func client(
        _ name: String = "tester", format: WireFormat = .proto, shares: Bool = false
    ) async throws -> TestClient {
        let client = try TestClient(port: port, format: format)
        try await client.hello(.make(name: name, shares: shares))
        return client
    }

    // MARK: Figures

    /// The current figures; those of loops are up to a second old.
    public func figures() async throws -> Figures {
        let page = try await get("/metrics")
        return Figures(page: page.body)
    }

    /// Waits until the figures fulfil a condition. Loops report them once a second, so this polls.
    @discardableResult
    public func figures(
        patience: Duration = .seconds(120), until what: String, _ condition: (Figures) -> Bool
    ) async throws -> Figures {
        let deadline = ContinuousClock.now + patience
        while true {
            let figures = try await figures()
            if condition(figures) { return figures }
            guard ContinuousClock.now < deadline else { throw BenchError("waited \(patience) for \(what)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Polls until a condition holds.
    public func wait<Value: Sendable>(
        until what: String, patience: Duration = .seconds(120), _ ask: () async throws -> Value,
        _ condition: (Value) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + patience
        while true {
            let found = try await ask()
            if condition(found) { return }
            guard ContinuousClock.now < deadline else { throw BenchError("waited for \(what), and it is \(found)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Polls until the answer is `value`.
    public func wait<Value: Equatable & Sendable>(for value: Value, _ ask: () async throws -> Value) async throws {
        try await wait(until: "\(value)", ask) { $0 == value }
    }

    /// One plain HTTP request on a connection of its own.
    public func get(_ path: String) async throws -> (status: Int, body: String) {
        let port = port
        return try await withCheckedThrowingContinuation { continuation in
            // It blocks, so it runs on a thread of its own.
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.get(path, port: port) })
            }
        }
    }

    private static func get(_ path: String, port: Int) throws -> (status: Int, body: String) {
        let descriptor = try RawSocket.connect(port: port)
        defer { close(descriptor) }
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        RawSocket.send(Array(request.utf8), to: descriptor)
        let head = RawSocket.readHead(descriptor)
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].filter { $0 != " " }) }
        let body = length.map { RawSocket.read($0, from: descriptor) ?? [] } ?? RawSocket.readAll(descriptor)
        guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchError("no answer to GET \(path)")
        }
        return (status, String(decoding: body, as: UTF8.self))
    }
}

/// The figures of one answer of `/metrics`.
public struct Figures: Sendable {
    private var values: [String: Double] = [:]

    init(page: String) {
        for line in page.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }

    /// A figure by its name with labels, such as `cairn_refusals_total{code="too_far"}`; 0 when it is absent.
    public subscript(_ name: String) -> Int { Int(values[name] ?? 0) }

    /// The figures of a family with one label, by the label's value.
    public func family(_ name: String) -> [String: Int] {
        var found: [String: Int] = [:]
        for (key, value) in values where key.hasPrefix(name + "{") {
            let parts = key.split(separator: "\"")
            if parts.count > 1 { found[String(parts[1])] = Int(value) }
        }
        return found
    }
}
