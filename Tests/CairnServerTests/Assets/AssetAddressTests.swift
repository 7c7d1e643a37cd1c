import CairnCore
import CairnCrypto
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// Addresses of downloads (OBJ-12).
@Suite struct AssetAddressTests {
    private static let key = SymmetricKey(data: randomBytes(16))

    private static func address(_ place: AssetPlace = .own, token: TokenName? = nil) -> AssetAddress {
        AssetAddress(
            asset: AssetID(rawValue: 7 << 30), place: place, account: AccountID(rawValue: 8 << 30), token: token,
            expires: LastingTime(milliseconds: 1_800_000_000_000))
    }

    @Test func address_isReadAsItWasWritten() throws {
        for address in [
            Self.address(), Self.address(.profile(AccountID(rawValue: .max)), token: TokenName(rawValue: 0)),
            Self.address(token: TokenName(rawValue: .max)),
        ] {
            let text = try address.text(sealedBy: Self.key)
            #expect(AssetAddress(text, sealedBy: Self.key) == address)
            #expect(text.utf8.count < 128 && !text.contains("/") && !text.contains("?"))
        }
    }

    @Test func addressesOfOneAsset_differ() throws {
        let texts = try (0..<100).map { _ in try Self.address().text(sealedBy: Self.key) }
        #expect(Set(texts).count == 100)
    }

    @Test func forgedAddresses_areNone() throws {
        let text = try Self.address().text(sealedBy: Self.key)
        #expect(AssetAddress(text, sealedBy: SymmetricKey(data: randomBytes(16))) == nil)
        let letters = Array(text)
        for place in letters.indices {
            var forged = letters
            forged[place] = letters[place] == "A" ? "B" : "A"
            #expect(AssetAddress(String(forged), sealedBy: Self.key) == nil)
        }
        let long = String(repeating: "A", count: 10_000)
        for other in ["", "A", String(text.dropLast()), text + "A", long, "../..", "é"] {
            #expect(AssetAddress(other, sealedBy: Self.key) == nil)
        }
    }
}
