internal import Foundation

/// The texts that the server writes itself, in the languages of ACS-1: a file each in `Texts`, with the same keys.
/// A text names what is put into it in braces: `{link}`.
package struct Texts: Sendable {
    /// The languages that there are, and the resource of each.
    static let languages: [String: Texts] = [
        "en": Texts(PackageResources.en_json), "es": Texts(PackageResources.es_json),
        "fr": Texts(PackageResources.fr_json), "hi": Texts(PackageResources.hi_json),
        "zh": Texts(PackageResources.zh_json),
    ]

    /// Keys that begin with an underscore are for people who read the file.
    let texts: [String: String]

    private init(_ file: [UInt8]) {
        guard let texts = try? JSONDecoder().decode([String: String].self, from: Data(file)) else {
            preconditionFailure("a file of texts is no JSON object of texts")
        }
        self.texts = texts.filter { !$0.key.hasPrefix("_") }
    }

    /// The texts for a language as BCP 47 names it; English where there is none.
    static func of(_ language: String) -> Texts {
        let primary = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        guard let texts = languages[String(primary)] ?? languages["en"] else {
            preconditionFailure("there is no English")
        }
        return texts
    }

    /// A text, with its parts put in.
    /// - Precondition: the text exists; a test compares the files.
    subscript(key: String, parts: [String: String] = [:]) -> String {
        guard let text = texts[key] else { preconditionFailure("there is no text \(key)") }
        return parts.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The texts of a page in every language, for a script that chooses: a JSON object of objects.
    /// - Parameter prefix: of their keys, for instance `page.`; it is left out.
    package static func json(withPrefix prefix: String) -> [UInt8] {
        let chosen = languages.mapValues { language in
            let pairs = language.texts.filter { $0.key.hasPrefix(prefix) }
            return Dictionary(uniqueKeysWithValues: pairs.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(chosen)).map(Array.init) ?? []
    }
}
