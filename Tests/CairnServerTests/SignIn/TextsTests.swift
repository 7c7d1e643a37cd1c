import CairnCore
import CairnFeatures
import CairnWire
import Foundation
import Testing
@testable import CairnServer

/// The texts that the server writes itself, in the five languages of ACS-1.
@Suite("Texts")
struct TextsTests {
    /// What stands in English in the code.
    private static let codes = ["refusal.", "closure.", "said."]

    /// Looked for once: there are many sources.
    private static let sentences = Result { try RefusalSentences.inSources() }

    /// The English text of every key that the other languages have.
    private static func english() throws -> [String: String] {
        var texts = try #require(Texts.languages["en"]).texts
        for code in Features.register.refusals { texts["refusal.\(code)"] = code.message }
        for closure in Closure.all { texts["closure.\(closure.name)"] = closure.message }
        for sentence in try sentences.get() { texts["said.\(sentence)"] = sentence }
        return texts
    }

    @Test func everyLanguage_hasTheSameTextsWithTheSameParts() throws {
        let english = try Self.english()
        #expect(english.count > 250)
        #expect(Texts.languages.keys.sorted() == ["en", "es", "fr", "hi", "zh"])
        for (language, texts) in Texts.languages where language != "en" {
            let (own, wanted) = (Set(texts.texts.keys), Set(english.keys))
            #expect(wanted.subtracting(own).sorted() == [], "missing in \(language)")
            #expect(own.subtracting(wanted).sorted() == [], "left over in \(language)")
            for (key, text) in texts.texts {
                #expect(!text.isEmpty)
                // A translation may name the service more than once or less often, and nothing else.
                #expect(Self.parts(of: text) == Self.parts(of: english[key, default: ""]), "\(language) \(key)")
            }
        }
    }

    private static func parts(of text: String) -> Set<String> {
        Set(text.matches(of: /\{[a-z0-9]+\}/).map { String($0.output) })
    }

    @Test func english_hasNoTextThatStandsInTheCode() throws {
        let english = try #require(Texts.languages["en"]).texts
        #expect(!english.keys.contains { key in Self.codes.contains { key.hasPrefix($0) } })
    }

    /// Words that are spelt alike in both languages, and patterns of values alone.
    private static let alike: [String: Set<String>] = [
        "es": ["said.{0}: {1}", "said.bytes", "said.{0} bytes"], "fr": ["said.minute", "link.code"],
        "hi": ["said.{0}: {1}"],
        "zh": [],
    ]

    @Test func noTranslation_isTheEnglishText() throws {
        let english = try Self.english()
        for (language, texts) in Texts.languages where language != "en" {
            let same = texts.texts.filter { english[$0.key] == $0.value }.map(\.key)
            #expect(Set(same) == Self.alike[language], "\(language)")
        }
    }

    @Test func translations_areOfTheirLanguage_andSayThatNobodyHasReadThem() throws {
        for (language, letters) in [("hi", 0x900...0x97F), ("zh", 0x4E00...0x9FFF)] {
            let texts = try #require(Texts.languages[language]).texts.filter { !$0.key.hasSuffix("{0}: {1}") }
            for (key, text) in texts {
                #expect(text.unicodeScalars.contains { letters.contains(Int($0.value)) }, "\(key)")
            }
        }
        let folder = RefusalSentences.sources.appending(path: "CairnServer/Texts")
        for language in ["es", "fr", "hi", "zh"] {
            let file = try Data(contentsOf: folder.appending(path: "\(language).json"))
            let texts = try JSONDecoder().decode([String: String].self, from: file)
            #expect(texts["_note"]?.contains("no native speaker has proof-read it yet") == true)
        }
    }

    private static let all = ["en", "es", "fr", "hi", "zh"]

    @Test(arguments: [
        ("fr", "Choisissez un nouveau mot de passe"), ("fr-CA", "Choisissez un nouveau mot de passe"),
        ("ZH-Hans-CN", "\u{8bbe}\u{7f6e}\u{65b0}\u{5bc6}\u{7801}"), ("tlh", "Set a new password"),
        ("", "Set a new password"),
    ]) func language_isChosenByItsPrimaryPart(tag: String, subject: String) {
        #expect(Texts.of(tag, among: Self.all)["mail.reset.subject"] == subject)
    }

    @Test func languageThatIsNotChosen_isEnglish() {
        #expect(Texts.of("fr", among: ["en", "es"]).language == "en")
        #expect(Texts.of("en", among: ["es"]).language == "en")
        let pages = String(decoding: Texts.json(withPrefix: "page.", among: ["es"]), as: UTF8.self)
        #expect(pages.hasPrefix("{\"en\":{") && pages.contains("\"es\":{") && !pages.contains("\"fr\":{"))
    }

    // MARK: Refusals

    private static func message(_ refusal: Refusal, in language: String) -> String? {
        Texts.of(language, among: all).message(of: refusal)
    }

    @Test func refusal_saysTheSentenceOfItsCodeOrItsOwn() {
        #expect(Self.message(Refusal(.notSignedIn), in: "fr") == "Connectez-vous d'abord.")
        let own = Refusal(.tooFar, "\(12) m away, the reach is \(5) m")
        #expect(Self.message(own, in: "es") == "está a 12 m, el alcance es de 5 m")
        #expect(Self.message(own, in: "en") == nil && own.message == "12 m away, the reach is 5 m")
    }

    @Test func wordsInASentence_areTranslatedWithIt() {
        let what: Refusal.Text = "friends"
        let refusal = Refusal(.limitReached, "\(3) \(what), the limit is \(3)")
        #expect(Self.message(refusal, in: "zh") == "3 位好友，上限为 3")
        #expect(refusal.message == "3 friends, the limit is 3")
    }

    @Test func sentenceWithoutATranslation_standsInEnglishBehindThatOfTheCode() {
        let refusal = Refusal(.badMessage, Refusal.Text(english: "line 3: no value"))
        #expect(Self.message(refusal, in: "fr") == "Le message est illisible. (line 3: no value)")
    }

    @Test func valueWithBraces_isNoPlace() {
        let refusal = Refusal(.limitReached, "\("{1}") \("{0}"), the limit is \(7)")
        #expect(refusal.message == "{1} {0}, the limit is 7")
        #expect(Self.message(refusal, in: "es") == "{1} {0}; el límite es 7")
    }

    @Test func unknownName_isNamedInTheLanguage() throws {
        let message = Array(#"{"id":1,"getHelp":{},"wrong":1}"#.utf8)
        let name = try #require(JSONUnknownName(in: message))
        let told = try #require(Self.message(name.explain(Refusal(.missingField)), in: "fr"))
        #expect(told.hasPrefix("Un élément obligatoire manque. ; ligne 1") && told.contains("« wrong »"))
    }
}
