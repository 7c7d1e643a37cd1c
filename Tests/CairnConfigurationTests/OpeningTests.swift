import Testing

@testable import CairnConfiguration

/// Open sign-in and stand-ins: by a word on the command line and by nothing else (H8).
@Suite("Configuration: what only the command line opens") struct OpeningTests {
    @Test func withoutAWord_nothingIsOpen() throws {
        let loaded = try Configuration.loadTesting()
        #expect(!loaded.configuration.accounts.open && !loaded.configuration.standsIn)
    }

    @Test func word_opensWhateverTheFileSays() throws {
        let file = try TemporaryFile("accounts: { open: false }\n")
        let loaded = try Configuration.loadTesting(file: file, opening: .demanded)
        #expect(loaded.configuration.accounts.open && loaded.configuration.standsIn)
        #expect(loaded["accounts.open"]?.origin == .flag)
    }

    @Test func settingOfTheCommandLine_isStrongerThanTheWord() throws {
        let loaded = try Configuration.loadTesting(overrides: ["accounts.open": "false"], opening: .demanded)
        #expect(!loaded.configuration.accounts.open && loaded.configuration.standsIn)
        #expect(try Configuration.loadTesting(overrides: ["accounts.open": "true"]).configuration.accounts.open)
    }

    @Test func word_whereOthersAreServed_isRefused_andOfTheDemoHasNoEffect() throws {
        let settings = ["listen.behindProxy": "true"]
        let problems = Configuration.problems(overrides: settings, opening: .demanded)
        #expect(problems.count == 1 && problems.first?.contains("start without --open") == true)
        let demo = try Configuration.loadTesting(overrides: settings, opening: .whereLocal)
        #expect(!demo.configuration.accounts.open && !demo.configuration.standsIn)
    }

    @Test(arguments: ["auto", "true"])
    func openInAFileOrTheEnvironment_isRefusedWithTheLineToWrite(value: String) throws {
        let file = try TemporaryFile("accounts: { open: \(value) }\n")
        for problems in [
            Configuration.problems(file: file),
            Configuration.problems(environment: ["CAIRN_ACCOUNTS_OPEN": value]),
        ] {
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("accounts.open: got \(value) (") == true)
            #expect(problems.first?.contains("write `open: false` there") == true)
            #expect(problems.first?.contains("cairn serve --open") == true)
        }
    }

    @Test(arguments: ["mail", "push", "identity", "payment", "receipts"])
    func standInOfAFile_isRefusedWithoutTheWord(name: String) throws {
        let file = try TemporaryFile("adaptors: { \(name): builtin }\n")
        let problems = Configuration.problems(file: file)
        #expect(problems.count == 1 && problems.first?.contains("write `\(name): off`") == true)
        #expect(Configuration.problems(file: file, opening: .demanded).isEmpty)
        #expect(Configuration.problems(file: file, opening: .notJudged).isEmpty, "commands that serve nobody")
        #expect(Configuration.problems(overrides: ["adaptors.\(name)": "builtin"]).isEmpty, "by the command line")
    }

    @Test func settingsThatAreShipped_openNothing() throws {
        let shipped = ConfigurationDocument.yaml()
        #expect(shipped.contains("\n  open: false\n") && !shipped.contains("open: auto"))
    }

    @Test(arguments: [String(repeating: "x", count: 20), "abababababababababababab", "1111122222333334444455555"])
    func credentialOfFewLetters_isRefused(text: String) throws {
        for name in ["CAIRN_STATS_CREDENTIAL", "CAIRN_STATS_METRICS_CREDENTIAL"] {
            let problems = Configuration.problems(environment: [name: text])
            #expect(problems.count == 1 && problems.first?.contains("at least 6 different ones") == true)
        }
    }
}

/// Guests look at a world that is tried out, and elsewhere where the operator says so (SES-14).
@Suite struct GuestOpeningTests {
    @Test(arguments: [(Opening.demanded, true), (.whereLocal, true), (.closed, false), (.notJudged, false)])
    func guests_lookWhereAWorldIsTriedOut(opening: Opening, isOn: Bool) throws {
        let loaded = try Configuration.loadTesting(opening: opening)
        #expect(loaded.configuration.guests.look == isOn && loaded["guests.look"]?.isSet == false)
    }

    @Test(arguments: ["true", "false"])
    func wordOfTheOperator_counts(word: String) throws {
        let loaded = try Configuration.loadTesting(overrides: ["guests.look": word], opening: .demanded)
        #expect(loaded.configuration.guests.look == (word == "true"))
        let closed = try Configuration.loadTesting(overrides: ["guests.look": word])
        #expect(closed.configuration.guests.look == (word == "true"))
    }

    @Test func limitsByAddress_holdWhereOthersAreServed() throws {
        let local = try Configuration.loadTesting().configuration.guests
        #expect(local.viewsPerAddress == 0 && local.cellsPerMinutePerAddress == 0)
        #expect(local.megabytesPerMinutePerAddress == 0 && local.questionsPerMinutePerAddress == 0)
        let served = try Configuration.loadTesting(overrides: ["listen.behindProxy": "true"]).configuration.guests
        #expect(served.megabytesPerMinutePerAddress == 20 && served.questionsPerMinutePerAddress == 300)
        #expect(served.viewsPerAddress == 5 && served.cellsPerMinutePerAddress == 20 && served.viewsMax == 1_000)
    }
}
