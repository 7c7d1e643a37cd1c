internal import DequeModule
internal import Foundation

/// One connection on a Unix socket. Reads lines, writes lines, never waits. Confined to the room's thread.
final class DescriptorLink: OperatorLink {
    let descriptor: Int32
    private var input: [UInt8] = []
    private var output: Deque<[UInt8]> = []
    /// Bytes of the first line in `output` that have left.
    private var written = 0
    /// The other side sends nothing more; it may still read.
    private(set) var isAtEnd = false
    private(set) var isBroken = false
    private var isClosing = false

    /// Longest command.
    static let lineBytesMax = 4_096

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Foundation.close(descriptor)
    }

    var isReady: Bool { output.isEmpty && !isBroken && !isClosing }
    /// Whether the connection is finished.
    var isOver: Bool { isBroken || (isClosing && output.isEmpty) }

    func send(_ lines: [[UInt8]]) {
        guard !isBroken && !isClosing else { return }
        output.append(contentsOf: lines)
        flush()
    }

    func close() {
        isClosing = true
    }

    func probe() {}

    /// Writes what the socket takes.
    func flush() {
        while let line = output.first {
            let sent = line.withUnsafeBytes { bytes in
                // Within the line, which lives for the length of the call.
                Foundation.send(
                    descriptor, bytes.baseAddress?.advanced(by: written), line.count - written,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard sent >= 0 else {
                if errno != EAGAIN && errno != EINTR { isBroken = true }
                return
            }
            written += sent
            guard written == line.count else { continue }
            output.removeFirst()
            written = 0
        }
    }

    /// Reads what has come; gives whole lines. A line that is too long breaks the connection.
    func read() -> [String] {
        var buffer = [UInt8](repeating: 0, count: Self.lineBytesMax)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count == 0 { isAtEnd = true }
        if count < 0 && errno != EAGAIN && errno != EINTR { isBroken = true }
        if count > 0 { input.append(contentsOf: buffer[..<count]) }
        var lines: [String] = []
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: input[..<end], as: UTF8.self))
            input.removeSubrange(...end)
        }
        // The text before the end of a half-closed connection is a line too: `printf info | socat ...`.
        if isAtEnd && !input.isEmpty {
            lines.append(String(decoding: input, as: UTF8.self))
            input = []
        }
        if input.count > Self.lineBytesMax { isBroken = true }
        return lines
    }
}
