import Testing

@testable import CairnCrypto

@Suite("PEM and DER")
struct PEMTests {
    private static let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")

    @Test(arguments: [1, 2, 3, 47, 48, 49, 96, 97, 500]) func bytes_areThoseThatWereWritten(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let text = PEM.encode(bytes, label: "X")
        #expect(PEM.decode(text, label: "X") == bytes)
        #expect(PEM.decode(text.replacing("\n", with: "\r\n") + "\r\n", label: "X") == bytes)
        #expect(text.split(separator: "\n").dropFirst().dropLast(2).allSatisfy { $0.utf8.count == 64 })
    }

    @Test func textsOfOtherForms_areRefused() {
        let line = String(repeating: "A", count: 64)
        for text in [
            "", Self.begin, "\(Self.begin)\n\(Self.end)", "\(Self.begin)\nAAA\n\(Self.end)",
            "\(Self.begin)\nAA*A\n\(Self.end)", "\(Self.begin)\nAAAA\nAAAA\n\(Self.end)",
            "\(Self.begin)\n\(line)AAAA\n\(Self.end)", "\(Self.begin)\nAAAA\n-----END X-----",
            "-----BEGIN X-----\nAAAA\n\(Self.end)", "\(Self.begin) \nAAAA\n\(Self.end)", "AAAA\nAAAA\nAAAA",
            "text\n\(Self.begin)\nAAAA\n\(Self.end)", "\(Self.begin)\nAAAA\n\(Self.end)\ntext",
            "\(Self.begin)\nAA==\nAAAA\n\(Self.end)",
        ] { #expect(PEM.decode(text, label: "PUBLIC KEY") == nil, "\(text)") }
        #expect(PEM.decode("\(Self.begin)\n\(line)\nAAAA\n\(Self.end)", label: "PUBLIC KEY")?.count == 51)
        #expect(PEM.decode("\(Self.begin)\n\(line)\nAAAA\n\(Self.end)", label: "PRIVATE KEY") == nil)
    }

    /// X.690, 8.3 and 10.1: as few bytes as possible, and the first bit is the sign.
    @Test(arguments: [
        ("", "020100"), ("00", "020100"), ("01", "020101"), ("7f", "02017f"), ("80", "02020080"),
        ("0000ff", "020200ff"), ("010001", "0203010001"),
    ])
    func integers_areInTheirShortestForm(bytes: String, form: String) {
        #expect(DER.integer([UInt8](hex: bytes)).hex == form)
    }

    @Test(arguments: [
        (0, "3000"), (127, "307f"), (128, "308180"), (255, "3081ff"), (256, "30820100"), (65_536, "3083010000"),
    ])
    func lengths_areInTheirShortestForm(count: Int, head: String) {
        let form = DER.sequence([UInt8](repeating: 0, count: count))
        #expect(form.count == head.count / 2 + count)
        #expect(Array(form.prefix(head.count / 2)).hex == head)
    }

    @Test func bitStrings_haveNoUnusedBits() { #expect(DER.bitString([0xAB]).hex == "030200ab") }
}
