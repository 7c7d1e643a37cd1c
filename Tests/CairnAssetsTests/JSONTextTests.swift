@testable import CairnAssets
import Testing

/// GeoJSON is known by its content and kept as it is (TRM-3, TRM-4).
@Suite("JSON")
struct JSONTextTests {
    private static let bounds = AssetBounds(pixelsMax: 1)
    private static let text = #"{"type":"FeatureCollection","features":[]}"#

    @Test(arguments: ["", "\u{FEFF}", " \r\n\t"])
    func object_isTaken_behindAMarkOrBlanks(_ before: String) throws {
        let clean = try CleanAsset(Array((before + Self.text).utf8), within: Self.bounds)
        #expect(clean.type == .geoJSON && clean.type.contentType == "application/geo+json" && !clean.type.isPicture)
        let kept = String(decoding: clean.bytes, as: UTF8.self)
        #expect(kept == (before == "\u{FEFF}" ? Self.text : before + Self.text))
    }

    @Test(arguments: ["", "[]", "x{", "\u{0}{", String(repeating: " ", count: 257) + "{}"])
    func anythingElse_isOfNoType(_ text: String) {
        #expect(AssetType(of: Array(text.utf8)) == nil)
    }

    @Test func whatIsNoUTF8_isDamaged() {
        #expect(throws: AssetFault.damaged("it is no UTF-8")) {
            try CleanAsset(Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8), within: Self.bounds)
        }
    }
}
