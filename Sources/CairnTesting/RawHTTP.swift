internal import Foundation
internal import Synchronization

/// An HTTP client on a plain POSIX socket. It shares no code with what it tests, and reads only when asked to.
public final class RawHTTP: Sendable {
    private let descriptor: Int32
    private let isOpen = Mutex(true)

    /// What a server has answered.
    public struct Answer: Sendable {
        public let status: Int
        /// By names in small letters.
        public let headers: [String: String]
        public var body: [UInt8] = []
        /// Chunks of the body; 0 = it came in none.
        public var chunks = 0
        /// False when the connection ended before the body did.
        public var isWhole = true
    }

    /// Connects to loopback.
    /// - Parameter receiveBufferBytes: of the kernel; nil = its default.
    public init(port: Int, receiveBufferBytes: Int? = nil) throws {
        descriptor = try RawSocket.connect(port: port, receiveBufferBytes: receiveBufferBytes)
    }

    deinit {
        close()
    }

    /// Sends a GET, or what else `method` says.
    public func ask(_ path: String, method: String = "GET", version: String = "1.1", headers: [String] = []) {
        send(Self.request(path, method: method, version: version, headers: headers))
    }

    /// The bytes of a request.
    public static func request(
        _ path: String, method: String = "GET", version: String = "1.1", headers: [String] = []
    ) -> String {
        let lines = ["\(method) \(path) HTTP/\(version)", "Host: localhost"] + headers
        return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Sends any text.
    public func send(_ text: String) { RawSocket.send(Array(text.utf8), to: descriptor) }

    /// Reads the next answer, on a thread of its own.
    /// - Parameter isHead: it answers HEAD, so no body follows.
    public func answer(isHead: Bool = false) async throws -> Answer {
        try await blocking { [self] in try read(isHead: isHead) }
    }

    /// Reads the head of the next answer and nothing of its body.
    public func head() async throws -> Answer { try await blocking { [self] in try readHead() } }

    /// Reads `count` bytes; nil when the connection ends before.
    public func read(_ count: Int) async throws -> [UInt8]? { try await blocking { [self] in readNow(count) } }

    /// Reads the chunks of a body whose head was read; gives their bytes and number.
    public func chunks() async throws -> Answer {
        try await blocking { [self] in
            var answer = Answer(status: 0, headers: [:])
            readChunks(into: &answer)
            return answer
        }
    }

    /// Reads on a thread of its own: a test that waits for a server leaves the pool's threads to others.
    private func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    private func readHead() throws -> Answer {
        let lines = RawSocket.readHead(descriptor).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw BenchError("no answer: \(lines)") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            let value = halves.count == 2 ? halves[1].drop { $0 == " " } : ""
            let name = halves[0].lowercased()
            headers[name] = headers[name].map { "\($0), \(value)" } ?? String(value)
        }
        return Answer(status: status, headers: headers)
    }

    private func readNow(_ count: Int) -> [UInt8]? { RawSocket.read(count, from: descriptor) }

    /// Ends the connection in the usual way.
    public func close() {
        isOpen.withLock { isOpen in
            if isOpen { Foundation.close(descriptor) }
            isOpen = false
        }
    }

    /// Ends the connection with a reset.
    public func abort() {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    private func read(isHead: Bool) throws -> Answer {
        var answer = try readHead()
        let hasBody = !isHead && answer.status != 204 && answer.status != 304
        guard hasBody else { return answer }
        if answer.headers["transfer-encoding"] == "chunked" {
            readChunks(into: &answer)
        } else if let count = answer.headers["content-length"].flatMap({ Int($0) }) {
            answer.isWhole = false
            if let body = readNow(count) {
                answer.body = body
                answer.isWhole = true
            }
        } else {
            answer.body = RawSocket.readAll(descriptor)
        }
        return answer
    }

    private func readChunks(into answer: inout Answer) {
        answer.isWhole = false
        while true {
            var line = ""
            while !line.hasSuffix("\r\n") {
                guard let byte = readNow(1) else { return }
                line.unicodeScalars.append(Unicode.Scalar(byte[0]))
            }
            guard let count = Int(line.unicodeScalars.prefix { $0 != "\r" }.map(String.init).joined(), radix: 16),
                let bytes = readNow(count + 2)
            else { return }
            guard count > 0 else { break }
            answer.body += bytes.dropLast(2)
            answer.chunks += 1
        }
        answer.isWhole = true
    }
}
