internal import CairnEmbedded
internal import CairnWire
internal import Foundation

/// The texts that the server writes itself, in the languages of ACS-1: a file each in `Texts`, with the same keys.
/// A text names what is put into it in braces: `{link}`.
///
/// What a refusal or a closure says in English stands in the code beside it. The files of the other languages have it
/// under `refusal.CODE`, `closure.NAME` and, for sentences of a refusal's own, `said.ENGLISH WORDS`.
package final class Texts: Sendable {
    /// The languages that there are: `en.json` is English.
    static let languages: [String: Texts] = {
        let texts = EmbeddedFiles.all(in: .texts).map { file in
            Texts(String(file.name.prefix { $0 != "." }), file.bytes)
        }
        return Dictionary(uniqueKeysWithValues: texts.map { ($0.language, $0) })
    }()

    static let english: Texts = {
        guard let texts = languages["en"] else { preconditionFailure("there is no English") }
        return texts
    }()

    /// Its primary tag, for instance `fr`.
    package let language: String
    /// Keys that begin with an underscore are for people who read the file.
    let texts: [String: String]
    /// By their codes, by their names and by their English words: a refusal looks them up without making a key.
    private let refusals: [String: String]
    private let closures: [String: String]
    private let sentences: [String: String]

    private init(_ language: String, _ file: [UInt8]) {
        guard let texts = try? JSONDecoder().decode([String: String].self, from: Data(file)) else {
            preconditionFailure("a file of texts is no JSON object of texts")
        }
        self.language = language
        self.texts = texts.filter { !$0.key.hasPrefix("_") }
        refusals = Self.group("refusal.", of: texts)
        closures = Self.group("closure.", of: texts)
        sentences = Self.group("said.", of: texts)
    }

    private static func group(_ prefix: String, of texts: [String: String]) -> [String: String] {
        let pairs = texts.filter { $0.key.hasPrefix(prefix) }.map { (String($0.key.dropFirst(prefix.count)), $0.value) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The texts for a language as BCP 47 names it; English where there is none.
    /// - Parameter chosen: the languages that this server writes.
    package static func of(_ language: String, among chosen: [String]) -> Texts {
        let primary = String(language.lowercased().prefix { $0 != "-" && $0 != "_" })
        guard chosen.contains(primary) else { return english }
        return languages[primary] ?? english
    }

    /// A text, with its parts put in.
    /// - Precondition: the text exists; a test compares the files.
    package subscript(key: String, parts: [String: String] = [:]) -> String {
        guard let text = texts[key] else { preconditionFailure("there is no text \(key)") }
        return parts.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    // MARK: Refusals and closures

    /// What a refusal says in this language; nil = what it says in English.
    ///
    /// A sentence without a translation stands in English behind that of the code: it tells the developer of a client
    /// what is wrong with a message.
    func message(of refusal: Refusal) -> String? {
        guard let general = refusals[refusal.code.rawValue] else { return nil }
        guard let text = refusal.text else { return general }
        let said = text.said { $0 == refusal.code.message ? general : sentences[$0] }
        return said ?? "\(general) (\(text))"
    }

    /// The sentence of a code alone.
    func message(of code: Refusal.Code) -> String { refusals[code.rawValue] ?? code.message }

    /// What a closure says in this language; nil = what it says in English.
    func message(of closure: Closure) -> String? { closures[closure.name] }

    // MARK: Pages

    /// The texts of a page in every language, for a script that chooses: a JSON object of objects.
    /// - Parameters:
    ///   - prefix: of their keys, for instance `page.`; it is left out.
    ///   - chosen: the languages that this server writes; English is always there.
    package static func json(withPrefix prefix: String, among chosen: [String]) -> [UInt8] {
        let named = languages.filter { $0.key == english.language || chosen.contains($0.key) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(named.mapValues { group(prefix, of: $0.texts) })).map(Array.init) ?? []
    }
}
