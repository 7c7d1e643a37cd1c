package import CairnConfiguration
internal import CairnWire
internal import Logging

/// The help of this server in each of its languages, made once from the settings and their file (PRF-10).
package struct Help: Sendable {
    private let file: HelpFile
    private let byLanguage: [String: WireHelp]

    /// Reads the file.
    /// - Throws: names the setting, the file and what is wrong with it.
    package init(_ configuration: Configuration) throws(ConfigurationError) {
        self.init(try HelpFile(path: configuration.help.file), configuration)
    }

    private init(_ file: HelpFile, _ configuration: Configuration) {
        self.file = file
        let languages = Set(configuration.accounts.languages + [Texts.english.language])
        byLanguage = Dictionary(
            uniqueKeysWithValues: languages.map { ($0, file.wire(in: $0, configuration.help)) })
    }

    /// The built-in one.
    init() { self.init(HelpFile.builtIn, Configuration()) }

    /// Goes by other settings. A file that cannot be used leaves the texts as they are.
    func applying(_ configuration: Configuration, logger: Logger) -> Help {
        do {
            return try Help(configuration)
        } catch {
            logger.error("the help cannot be read again; the old texts stay in force: \(error)")
            return Help(file, configuration)
        }
    }

    /// The help in a language as BCP 47 names it; English where there is none.
    func wire(in language: String) -> WireHelp {
        let texts = Texts.of(language, among: Array(byLanguage.keys))
        return byLanguage[texts.language] ?? WireHelp()
    }
}

extension HelpFile {
    /// The answer to `get_help`. English stands in for each member that the language lacks.
    fileprivate func wire(in language: String, _ settings: Configuration.Help) -> WireHelp {
        let (own, english) = (languages[language], languages[Texts.english.language])
        var help = WireHelp()
        help.language = language
        help.questions = (own?.questions ?? english?.questions ?? []).map { item in
            var question = WireHelpQuestion()
            question.question = item.question
            question.answer = item.answer
            return question
        }
        help.further = own?.further ?? english?.further ?? ""
        help.phone = settings.phone ?? ""
        guard !form.isEmpty else { return help }
        help.form.text = own?.form ?? english?.form ?? ""
        help.form.address = settings.formAddress ?? ""
        help.form.fields = form.map { item in
            var field = WireHelpField()
            field.name = item.name
            field.label = own?.labels?[item.name] ?? english?.labels?[item.name] ?? item.name
            field.kind = item.kind
            field.required = item.required
            return field
        }
        return help
    }
}
