package import CairnConfiguration
internal import CairnText
internal import Foundation

/// The privacy policy: what is held on people, and for what (CMP-1). The shipped text, or the operators' own.
package struct PrivacyPolicy: Sendable {
    /// The version that a sign-up agrees to.
    let version: String
    /// Where the data is (CMP-7).
    let region: String
    /// By language. English is always there.
    private let texts: [String: Text]

    /// The policy in one language.
    struct Text: Sendable, Equatable {
        let language: String
        let title: String
        /// Paragraphs with empty lines between them; one that begins with "# " is a heading.
        let text: String
    }

    /// Longest file of the operators' own: an answer holds it whole.
    private static let fileBytesMax = 32_768

    /// Reads the operators' own, if they have one.
    /// - Throws: `ConfigurationError` for a folder without an English text, and for a file that is no text.
    package init(_ configuration: Configuration) throws(ConfigurationError) {
        let accounts = configuration.accounts
        version = accounts.policyVersion
        region = configuration.storage.region
        let parts = ["service": accounts.serviceName, "version": version, "region": region]
        guard let folder = accounts.policyFolder else {
            texts = Dictionary(
                uniqueKeysWithValues: Texts.languages.map { language, texts in
                    (
                        language,
                        Text(
                            language: language, title: texts["policy.title", parts], text: texts["policy.text", parts])
                    )
                })
            return
        }
        var own: [String: Text] = [:]
        for language in Texts.languages.keys.sorted() {
            own[language] = try Self.text(in: folder, language: language, parts)
        }
        guard own["en"] != nil else {
            throw ConfigurationError(["accounts.policyFolder: \(folder) has no en.txt, which others fall back to"])
        }
        texts = own
    }

    /// Nil = there is no such file.
    private static func text(
        in folder: String, language: String, _ parts: [String: String]
    ) throws(ConfigurationError) -> Text? {
        let path = folder + "/\(language).txt"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: fileBytesMax + 1),
            data.count <= fileBytesMax, let text = String(data: data, encoding: .utf8)
        else {
            throw ConfigurationError([
                "accounts.policyFolder: \(path) wants UTF-8 text of at most \(fileBytesMax) bytes that the server can "
                    + "read"
            ])
        }
        let lines = text.pieces(at: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let filled = lines.map { line in
            parts.reduce(String(line)) { $0.replacing("{\($1.key)}", with: $1.value) }
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard filled.count == 2, !filled[0].isEmpty, !filled[1].isEmpty else {
            throw ConfigurationError(["accounts.policyFolder: \(path) wants a line with the title, and text behind it"])
        }
        return Text(language: language, title: filled[0], text: filled[1])
    }

    /// The text in the first of these languages that there is, else in English.
    func text(in languages: [String]) -> Text {
        for language in languages {
            let primary = language.lowercased().prefix { $0 != "-" && $0 != "_" }
            if let text = texts[String(primary)] { return text }
        }
        guard let english = texts["en"] else { preconditionFailure("there is no English policy") }
        return english
    }

    /// The same as a JSON object, for the page.
    /// - Parameter languages: BCP 47, between commas, the preferred one first.
    package func json(for languages: String) -> [UInt8] {
        let text = text(in: languages.pieces(at: ",").map(String.init))
        let object = [
            "version": version, "region": region, "language": text.language, "title": text.title, "text": text.text,
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(object)).map(Array.init) ?? []
    }
}
