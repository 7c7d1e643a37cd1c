internal import CairnConfiguration
internal import CairnEmbedded
internal import Foundation

/// The content of the help page as `help.file` has it, a JSON file (PRF-10). docs/operations.md describes the form; the
/// built-in one, `Help/Resources/help.json`, is an example.
struct HelpFile: Sendable, Decodable {
    /// The fields of the form by which organisations ask for an account; without them there is no form.
    let form: [Field]
    /// By primary tag. English is there and complete; another language may leave members out.
    let languages: [String: Content]

    struct Field: Sendable, Decodable {
        /// For programs.
        let name: String
        let kind: String
        let required: Bool

        static let kinds = ["text", "paragraph", "email", "phone", "address"]
    }

    struct Content: Sendable, Decodable {
        let questions: [Question]?
        let further: String?
        /// The purpose of the form.
        let form: String?
        /// By the names of the fields.
        let labels: [String: String]?
    }

    struct Question: Sendable, Decodable {
        let question: String
        let answer: String
    }

    // MARK: Bounds

    private static let fileBytesMax = 262_144
    /// Of one language. The answer to `get_help` is one message.
    private static let contentBytesMax = 49_152
    private static let questionsMax = 100
    private static let questionCharactersMax = 200
    private static let answerCharactersMax = 2_000
    private static let furtherCharactersMax = 4_000
    private static let fieldsMax = 20
    private static let labelCharactersMax = 100

    /// The file that is built in.
    static let builtIn: HelpFile = {
        do {
            return try HelpFile(Data(EmbeddedFiles.bytes(of: "help.json", in: .help)))
        } catch {
            preconditionFailure("the built-in help cannot be used: \(error)")
        }
    }()

    /// Reads a file.
    /// - Parameter path: nil = the built-in one.
    /// - Throws: names the setting, the file and what is wrong with it.
    init(path: String?) throws(ConfigurationError) {
        guard let path else {
            self = Self.builtIn
            return
        }
        do throws(Unusable) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Unusable("the file cannot be read")
            }
            guard data.count <= Self.fileBytesMax else {
                throw Unusable("it has more than \(Self.fileBytesMax) bytes")
            }
            try self.init(data)
        } catch {
            throw ConfigurationError(["help.file: \(path): \(error.cause)"])
        }
    }

    /// Why a file gives no help, for its operator.
    private struct Unusable: Error {
        let cause: String

        init(_ cause: String) { self.cause = cause }
    }

    private init(_ data: Data) throws(Unusable) {
        do {
            self = try JSONDecoder().decode(HelpFile.self, from: data)
        } catch DecodingError.dataCorrupted(let context) {
            let cause = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
            throw Unusable("it is no JSON: \(cause ?? context.debugDescription)")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Unusable("\(Self.place(context, key)): is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw Unusable("\(Self.place(context)): \(context.debugDescription)")
        } catch {
            throw Unusable("\(error)")
        }
        try checkForm()
        for (language, content) in languages.sorted(by: { $0.key < $1.key }) {
            try check(content, "languages.\(language)")
        }
        guard let english = languages["en"] else { throw Unusable("languages.en: is missing") }
        for (member, isThere) in [
            ("questions", english.questions != nil), ("further", english.further != nil),
            ("form", english.form != nil), ("labels", english.labels != nil),
        ] where !isThere {
            throw Unusable("languages.en.\(member): is missing; English stands in where another language lacks it")
        }
        for field in form where english.labels?[field.name] == nil {
            throw Unusable("languages.en.labels.\(field.name): is missing")
        }
    }

    private static func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        (context.codingPath + [key].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
    }

    private func checkForm() throws(Unusable) {
        guard form.count <= Self.fieldsMax else { throw Unusable("form: more than \(Self.fieldsMax) fields") }
        for field in form {
            let isName = field.name.utf8.allSatisfy { $0.isLetter || $0.isDigit }
            guard (1...32).contains(field.name.utf8.count), isName else {
                throw Unusable("form: \"\(field.name.prefix(40))\" is not 1 to 32 letters and digits")
            }
            guard Field.kinds.contains(field.kind) else {
                let kinds = Field.kinds.joined(separator: ", ")
                throw Unusable("form: \(field.name): \"\(field.kind.prefix(40))\" is not one of \(kinds)")
            }
        }
        guard Set(form.map(\.name)).count == form.count else { throw Unusable("form: a name stands there twice") }
    }

    private func check(_ content: Content, _ place: String) throws(Unusable) {
        let questions = content.questions ?? []
        guard questions.count <= Self.questionsMax else {
            throw Unusable("\(place).questions: more than \(Self.questionsMax)")
        }
        var texts = [
            ("further", content.further ?? "", Self.furtherCharactersMax),
            ("form", content.form ?? "", Self.answerCharactersMax),
        ]
        for (index, question) in questions.enumerated() {
            guard !question.question.isEmpty, !question.answer.isEmpty else {
                throw Unusable("\(place).questions.\(index): question or answer is empty")
            }
            texts.append(("questions.\(index).question", question.question, Self.questionCharactersMax))
            texts.append(("questions.\(index).answer", question.answer, Self.answerCharactersMax))
        }
        for (name, label) in content.labels ?? [:] {
            guard form.contains(where: { $0.name == name }) else {
                throw Unusable("\(place).labels.\(name): the form has no such field")
            }
            texts.append(("labels.\(name)", label, Self.labelCharactersMax))
        }
        for (name, text, charactersMax) in texts where text.count > charactersMax {
            throw Unusable("\(place).\(name): more than \(charactersMax) characters")
        }
        let byteCount = texts.reduce(0) { $0 + $1.1.utf8.count }
        guard byteCount <= Self.contentBytesMax else {
            throw Unusable("\(place): \(byteCount) bytes of text, and \(Self.contentBytesMax) is the most")
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
