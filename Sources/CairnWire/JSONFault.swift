/// The place of the fault in a JSON message that could not be read. It is searched only after decoding has failed, with
/// bounded effort for any message. The client's developer gets a line, a column and the field as it was sent.
struct JSONFault {
    /// Column and line count from 1, columns in Unicode scalars.
    let line: Int
    let column: Int
    /// Names from the outermost object to the fault, as they were sent, for instance `place.pose.scale`.
    let field: String
    let cause: String

    /// Longer messages are checked for their syntax only.
    private static let trialBytesMax = 4_096
    /// Most bytes that are decoded again, over all levels, to find the field.
    private static let decodedBytesMax = 8_192
    private static let fieldBytesMax = 128

    /// - Parameter bytes: a message that the decoder has refused; borrowed for the call, nested at most
    ///   `ClientEnvelopeDecoder.jsonDepthMax` deep.
    init(in bytes: UnsafeRawBufferPointer) {
        var syntax = JSONSyntax(bytes)
        if let cause = syntax.fault() {
            self.init(in: bytes, at: syntax.offset, path: syntax.path, cause: cause)
            return
        }
        var trial = JSONTrial(
            bytes: bytes, options: WireJSON.decodingOptions,
            budget: bytes.count <= Self.trialBytesMax ? Self.decodedBytesMax : 0)
        let found = trial.search(syntax.members)
        self.init(
            in: bytes, at: found?.value.lowerBound ?? 0, path: found?.path ?? [],
            cause: found == nil ? "it is not the protobuf JSON of a ClientMessage" : "the field takes no such value")
    }

    /// A fault at a known place.
    init(in bytes: UnsafeRawBufferPointer, at offset: Int, path: [String] = [], cause: String) {
        var line = 1, start = 0
        for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        self.line = line
        // Continuation bytes of a scalar do not count (RFC 3629 3).
        column = 1 + bytes[start..<max(start, min(offset, bytes.count))].count { $0 & 0xC0 != 0x80 }
        field = String(decoding: path.joined(separator: ".").utf8.prefix(Self.fieldBytesMax), as: UTF8.self)
        self.cause = cause
    }

    var refusal: Refusal {
        var details = ["line": "\(line)", "column": "\(column)"]
        if !field.isEmpty { details["field"] = field }
        let place = "line \(line), column \(column)" + (field.isEmpty ? "" : ", \(field)")
        return Refusal(
            .badMessage, Refusal.Text(english: "The message cannot be read: \(place): \(cause)."), component: "wire",
            details: details)
    }
}
