import CairnWire
import Testing

/// Damaged messages: whatever comes in, the decoder answers, and it agrees with SwiftProtobuf wherever that reads.
/// The seed is fixed, so that a failure can be repeated.
@Suite struct EnvelopeFuzzTests {
    @Test func damagedBinaryMessages_areReadAsSwiftProtobufReadsThem() {
        var mutator = Mutator(
            seed: 0xCA1_84, corpus: Golden.client.map(\.binary) + Self.oddBinary, pieces: Self.binaryPieces)
        var accepted = 0
        for _ in 0..<160_000 {
            let bytes = mutator.next()
            guard let theirs = try? WireBody.decode(WireClientMessage.self, from: bytes) else { continue }
            accepted += 1
            let ours: ClientEnvelope?
            do throws(BadMessage) {
                ours = try ClientEnvelopeDecoder.decode(bytes, format: .proto)
            } catch {
                // The schema's bounds, which SwiftProtobuf does not know.
                if error.refusal.code == .invalidField { continue }
                ours = nil
            }
            guard let ours, ours.id == theirs.id, ours.key == theirs.key, Self.kind(of: ours, agreesWith: theirs) else {
                Issue.record("\(bytes.hex): read as \(String(describing: ours)), SwiftProtobuf has \(theirs)")
                return
            }
        }
        // Otherwise the mutations only test the first bytes.
        #expect(accepted > 20_000)
    }

    @Test func damagedJSONMessages_areReadOrRefused() {
        let corpus = Golden.client.map { Array($0.compactJSON.utf8) } + Self.oddJSON.map { Array($0.utf8) }
        var mutator = Mutator(seed: 0x15_07, corpus: corpus, pieces: Self.jsonPieces.map { Array($0.utf8) })
        var read = 0
        for _ in 0..<40_000 {
            if (try? ClientEnvelopeDecoder.decode(mutator.next(), format: .json)) != nil { read += 1 }
        }
        #expect(read > 2_000)
    }

    @Test func damagedServerMessages_areReadOrRefused() {
        var binary = Mutator(seed: 1, corpus: Golden.server.map(\.binary), pieces: Self.binaryPieces)
        var json = Mutator(
            seed: 2, corpus: Golden.server.map { Array($0.compactJSON.utf8) },
            pieces: Self.jsonPieces.map { Array($0.utf8) })
        for _ in 0..<5_000 {
            _ = try? ServerMessageDecoder.decode(binary.next(), format: .proto)
            _ = try? ServerMessageDecoder.decode(json.next(), format: .json)
        }
    }

    /// Whether the scanner's kind is SwiftProtobuf's. A number that the schema does not have is a kind to the scanner
    /// (a feature may claim it) and an unknown field to SwiftProtobuf.
    private static func kind(of ours: ClientEnvelope, agreesWith theirs: WireClientMessage) -> Bool {
        let numbers = Schema.oneofs["ClientMessage"] ?? [:]
        if ours.field != 0, !numbers.values.contains(ours.field) { return true }
        guard let body = theirs.body else { return ours.field == 0 }
        // The case's name, signOut, as the schema has it: sign_out.
        let label = Mirror(reflecting: body).children.first?.label ?? ""
        let name = label.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
        return ours.field == numbers[name]
    }

    private static let oddBinary: [[UInt8]] = [
        Field.varint(1, 1) + Field.text(2, "key") + Field.bytes(20, []) + Field.bytes(20, []) + Field.bytes(21, []),
        Field.group(5, Field.group(6, Field.varint(1, 1)) + Field.bytes(11, [])) + Field.bytes(11, []),
        Field.bytes(99, [1, 2]) + Field.bytes(23, []) + Field.varint(1, .max) + Field.varint(20, 3),
        Field.text(2, "clé-✓") + Field.text(2, "") + Field.bytes(13, []),
        [],
    ]

    private static let binaryPieces: [[UInt8]] = [
        Field.varint(1, 77), Field.text(2, "k"), Field.bytes(10, []), Field.bytes(13, []), Field.bytes(30, [0x0A, 0]),
        Field.bytes(20, [0x0A, 1, 0x61]), Field.bytes(64, [1]), Field.group(3, []), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
        [UInt8](repeating: 0x80, count: 9) + [1], [UInt8](repeating: 0xFF, count: 10), [0x0B], [0x0C],
        [0xED, 0xA0, 0x80],
    ]

    private static let oddJSON = [
        "{}", #"{"id":"4294967295","key":"\u0000\ud83d\udccd"}"#, #"{"sign_out":{},"x":[[[{"y":[]}]],{}],"n":null}"#,
        #"{"position":{"lat":"NaN","lon":1e300,"accuracy":"Infinity"}}"#, #"{"hello":null,"id":1}"#,
    ]

    private static let jsonPieces = [
        "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u0000", "\\ud800", "null", "true", "1e999", "-", "\"id\":1",
        "\"NaN\"",
        "\"place\":{", "\"x\":[", " ", "\0", "{\"a\":", "18446744073709551616", "\"key\":\"", "e", ".", "AA==",
    ]
}

/// Damages messages in the ways that damage happens, and in the ways that an attacker would.
private struct Mutator {
    private var generator: SeededGenerator
    private let corpus: [[UInt8]]
    private let pieces: [[UInt8]]

    init(seed: UInt64, corpus: [[UInt8]], pieces: [[UInt8]]) {
        generator = SeededGenerator(seed: seed)
        self.corpus = corpus
        self.pieces = pieces
    }

    mutating func next() -> [UInt8] {
        var bytes = corpus[below(corpus.count)]
        for _ in 0...below(4) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let at = below(bytes.count + 1)
        switch below(8) {
        case 0 where at < bytes.count: bytes[at] ^= 1 << UInt8(below(8))
        case 1 where at < bytes.count: bytes[at] = UInt8(below(256))
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + 1 + below(4)))
        case 3: bytes.insert(contentsOf: pieces[below(pieces.count)], at: at)
        case 4: bytes.removeLast(below(bytes.count + 1))
        case 5: bytes += corpus[below(corpus.count)]
        case 6 where at < bytes.count:
            bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + below(24))], at: below(at + 1))
        default: bytes.append(contentsOf: pieces[below(pieces.count)])
        }
    }

    private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
}
