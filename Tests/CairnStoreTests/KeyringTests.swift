import CairnCore
import CairnCrypto
import Testing

@testable import CairnStore

/// The format of what is sealed, put together by hand: what stands in the files of older servers opens with it.
@Suite("Keyring")
struct KeyringTests {
    private static let lookupKey = SymmetricKey(data: Array(UInt8(0)..<32))
    private static let dataKey = SymmetricKey(data: Array(UInt8(32)..<64))
    private static let seal = Seal("people")

    private static func keyring() -> Keyring {
        Keyring(lookupKey: lookupKey, dataKeys: [258: dataKey], isBound: true)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func code(_ text: [UInt8]) -> [UInt8] {
        HMAC(key: lookupKey).code(for: Array("people".utf8) + [0] + text)
    }

    @Test func sealedValue_isOfTheFormatThatIsWrittenDown() throws {
        let values: [SQLValue] = [.null, .integer(-2), .real(1.5), .text("Ada"), .text(""), .blob([7, 8]), .blob([])]
        let sealed = try Self.keyring().clear(
            .sealed(values, Self.seal, row: -5, bound: [.integer(9), .fingerprint("x", Self.seal)]))
        guard case .blob(let bytes) = sealed else {
            Issue.record("no blob: \(sealed)")
            return
        }
        #expect(bytes.prefix(3) == [2, 2, 1], "version 2, key 258")
        let bound =
            [2, 2, 1] + Array("people".utf8) + Self.bytes(Int64(-5)) + [1] + Self.bytes(Int64(9)) + [4]
            + Self.bytes(UInt32(16)) + Self.code(Array("x".utf8)).prefix(16)
        let numbers = [1] + Self.bytes(Int64(-2)) + [2] + Self.bytes(1.5.bitPattern)
        let texts = [3, 3, 0, 0, 0] + Array("Ada".utf8) + [3, 0, 0, 0, 0]
        let plain = [0] + numbers + texts + [4, 2, 0, 0, 0, 7, 8] + [4, 0, 0, 0, 0]
        #expect(AES.GCM(Self.dataKey).open(bytes.dropFirst(3), authenticating: bound) == plain)
    }

    @Test func sealedValue_opensBesideWhatItIsBoundToAndNothingElse() throws {
        let keyring = Self.keyring()
        let sealed = try keyring.clear(.sealed([.text("Ada")], Self.seal, row: 5, bound: [.integer(9), .text("b")]))
        func open(_ seal: Seal, row: Int64, _ bound: [SQLValue]) -> SQLValue {
            keyring.open(sealed, seal, row: row, bound: bound)
        }
        let right: [SQLValue] = [.integer(9), .text("b")]
        #expect(open(Self.seal, row: 5, right) == .sealed([.text("Ada")], Self.seal, row: 5, bound: right))
        #expect(open(Self.seal, row: 6, right) == sealed, "another row")
        #expect(open(Seal("peoplf"), row: 5, right) == sealed, "another seal")
        #expect(open(Self.seal, row: 5, [.integer(8), .text("b")]) == sealed, "another value beside it")
        #expect(open(Self.seal, row: 5, [.integer(9)]) == sealed, "one value fewer")
    }

    @Test(arguments: [0, 1, 40, 48, 49, 56, 57, 64, 65, 200])
    func fingerprint_isTheBeginningOfTheStandardsCode(length: Int) throws {
        let text = String(repeating: "k", count: length)
        let made = try Self.keyring().clear(.fingerprint(text, Self.seal))
        #expect(made == .blob(Array(Self.code(Array(text.utf8)).prefix(16))))
    }

    @Test func pseudonym_isTheBeginningOfTheStandardsCode() throws {
        let code = Self.code(Self.bytes(UInt64(0x0102_0304_0506_0708)))
        let number = code.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let keyring = Self.keyring()
        for _ in 0..<2 { #expect(try keyring.clear(.pseudonym(0x0102_0304_0506_0708, Self.seal)) == .integer(number)) }
    }
}
