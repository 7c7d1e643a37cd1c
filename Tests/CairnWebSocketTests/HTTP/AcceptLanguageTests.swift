import CairnWebSocket
import Testing

/// Which language a client wants (RFC 9110 12.5.4).
@Suite struct AcceptLanguageTests {
    @Test(arguments: [
        ("", nil), ("fr", "fr"), ("fr-CA, en;q=0.5", "fr"), ("en;q=0.5,fr-CA", "fr"), ("tlh, es;q=0.1", "es"),
        ("tlh", nil), ("fr;q=0", nil), ("FR-fr ; q=0.9 , en ; q=0.8", "fr"), ("*", nil), ("fr;q=x, en;q=0.3", "fr"),
        ("zh-Hans-CN", "zh"), (",,;,", nil), ("fr;q=7, en", "en"),
    ])
    func best_isTheHeaviestOfThoseThatThereAre(field: String, expected: String?) {
        #expect(AcceptLanguage.best(field, of: ["en", "es", "fr", "hi", "zh"]) == expected)
    }

    @Test func longField_isLookedAtInPart() {
        let field = String(repeating: "de,", count: 100_000) + "fr"
        #expect(AcceptLanguage.best(field, of: ["fr"]) == nil)
    }
}
