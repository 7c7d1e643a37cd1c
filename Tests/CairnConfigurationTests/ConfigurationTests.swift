import Foundation
import Testing

@testable import CairnConfiguration

@Suite("Configuration: loading")
struct ConfigurationTests {
    @Test func nothingSet_givesTheShippedDefaults() throws {
        let loaded = try Configuration.loadTesting()
        var expected = Configuration()
        expected.storage.path = "/people/tester/.local/state/cairn"
        expected.storage.keyFile = "/people/tester/.config/cairn/cairn.key"
        expected.backup.directory = "/people/tester/.local/state/cairn/backups"
        expected.adaptors.mailFolder = "/people/tester/.local/state/cairn.mail"
        expected.adaptors.paymentFolder = "/people/tester/.local/state/cairn.payments"
        expected.stats.socketPath = "/people/tester/.local/state/cairn/stats.sock"
        // Nobody has asked for stand-ins.
        for stood in [\Configuration.Adaptors.mail, \.push, \.identity, \.payment, \.receipts] {
            expected.adaptors[keyPath: stood] = "off"
        }
        // All people of this machine come from one address.
        for bound in [
            \Configuration.Guests.viewsPerAddress, \.cellsPerMinutePerAddress, \.megabytesPerMinutePerAddress,
            \.questionsPerMinutePerAddress,
        ] {
            expected.guests[keyPath: bound] = 0
        }
        // Beside this program.
        expected.play.path = loaded.configuration.play.path
        #expect(loaded.configuration == expected)
        #expect(loaded.configuration.play.path?.hasSuffix("/share/cairn/play") == true)
        #expect(loaded.settings.allSatisfy { !$0.isSet })
    }

    @Test func priority_isFlagThenEnvironmentThenFileThenDefault() throws {
        let file = try TemporaryFile("listen: { port: 1, backlog: 1 , loops: 1 }\n")
        let loaded = try Configuration.loadTesting(
            file: file,
            environment: ["CAIRN_LISTEN_PORT": "2", "CAIRN_LISTEN_BACKLOG": "2"],
            overrides: ["listen.port": "3"]
        )
        #expect(loaded.configuration.listen.port == 3)
        #expect(loaded.configuration.listen.backlog == 2)
        #expect(loaded.configuration.listen.loops == 1)
        #expect(loaded["listen.port"]?.origin == .flag)
        #expect(loaded["listen.backlog"]?.origin == .environment("CAIRN_LISTEN_BACKLOG"))
        #expect(loaded["listen.loops"]?.origin == .file(file.path))
        #expect(loaded["listen.connectionsMax"]?.origin == .shipped)
    }

    @Test func camelCase_isSplitInTheEnvironment() throws {
        let loaded = try Configuration.loadTesting(environment: ["CAIRN_PRESENCE_INTERVAL_MILLISECONDS": "75"])
        #expect(loaded.configuration.presence.intervalMilliseconds == 75)
    }

    @Test func variablesOfOthers_areLeftAlone() throws {
        _ = try Configuration.loadTesting(environment: ["PATH": "/bin", "CAIRNS": "many"])
    }

    @Test func lists_readAsYAMLAndWithCommas() throws {
        let origins = ["https://a.example", "https://b.example"]
        let file = try TemporaryFile("listen:\n  originsAllowed:\n    - \(origins[0])\n    - \(origins[1])\n")
        #expect(try Configuration.loadTesting(file: file).configuration.listen.originsAllowed == origins)
        let fromFlag = try Configuration.loadTesting(overrides: [
            "listen.originsAllowed": origins.joined(separator: ", ")
        ])
        #expect(fromFlag.configuration.listen.originsAllowed == origins)
        let empty = try Configuration.loadTesting(environment: ["CAIRN_LISTEN_ORIGINS_ALLOWED": ""])
        #expect(empty.configuration.listen.originsAllowed.isEmpty)
    }

    @Test func fileOfComments_isEmpty() throws {
        let file = try TemporaryFile("# nothing\n\n   # here\n")
        #expect(try Configuration.loadTesting(file: file).settings.allSatisfy { !$0.isSet })
    }

    @Test(arguments: ["echoPath:", "echoPath: ~", "echoPath: null", "echoPath: \"\""])
    func optionalText_canBeLeftEmpty(line: String) throws {
        let file = try TemporaryFile("debug:\n  \(line)\n")
        #expect(try Configuration.loadTesting(file: file).configuration.debug.echoPath == nil)
    }

    @Test func storagePath_followsTheEnvironment() throws {
        let all = ["STATE_DIRECTORY": "/var/lib/cairn:/var/lib/other", "XDG_STATE_HOME": "/state", "HOME": "/people/a"]
        func path(without names: [String]) throws -> String? {
            let environment = all.filter { !names.contains($0.key) }
            return try Configuration.load(file: nil, environment: environment, overrides: [:]).configuration.storage
                .path
        }
        #expect(try path(without: []) == "/var/lib/cairn")
        #expect(try path(without: ["STATE_DIRECTORY"]) == "/state/cairn")
        #expect(try path(without: ["STATE_DIRECTORY", "XDG_STATE_HOME"]) == "/people/a/.local/state/cairn")
        let problems = Configuration.problems(environment: ["XDG_STATE_HOME": "relative"], home: nil)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("--data DIR") == true)
    }

    @Test func auto_canBeAskedForByName() throws {
        let file = try TemporaryFile("adaptors: { mail: auto }\nlisten: { behindProxy: true }\n")
        let loaded = try Configuration.loadTesting(file: file, opening: .whereLocal)
        #expect(loaded.configuration.adaptors.mail == "off")
        #expect(loaded["adaptors.mail"]?.origin == .automatic("behind a proxy"))
    }

    @Test func auto_inAFlag_hidesTheFile() throws {
        let file = try TemporaryFile("listen: { connectionsPerAddress: 7 }\n")
        let loaded = try Configuration.loadTesting(file: file, overrides: ["listen.connectionsPerAddress": "auto"])
        #expect(loaded.configuration.listen.connectionsPerAddress == 0)
    }
}

@Suite("Configuration: what it refuses")
struct ConfigurationProblemTests {
    @Test func unknownKeyInFile_namesLineAndNearest() throws {
        let file = try TemporaryFile("listen:\n  address: 127.0.0.1\n  prot: 9000\n")
        let problems = Configuration.problems(file: file)
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("unknown key listen.prot in \(file.path):3; the nearest is listen.port"))
    }

    @Test func unknownSection_isAnUnknownKey() throws {
        let file = try TemporaryFile("listne:\n  port: 9000\n")
        let problems = Configuration.problems(file: file)
        #expect(problems.count == 1)
        #expect(problems[0].contains("listne.port"))
        #expect(problems[0].contains("the nearest is listen.port"))
    }

    @Test func sectionWithAValue_isAnUnknownKey() throws {
        let file = try TemporaryFile("listen: 9000\n")
        #expect(Configuration.problems(file: file).first?.hasPrefix("unknown key listen in") == true)
    }

    @Test func unknownVariable_namesTheNearest() {
        let problems = Configuration.problems(environment: ["CAIRN_LISTEN_PROT": "9000"])
        #expect(problems.count == 1)
        #expect(problems[0].contains("CAIRN_LISTEN_PROT in the environment; the nearest is CAIRN_LISTEN_PORT"))
    }

    @Test func variablesOfOtherPrograms_areNoSettings() {
        for name in ["CAIRN_ADAPTOR_SMTP_HOST", "CAIRN_CROWD_SECONDS", "CAIRN_TEST_ROUNDS"] {
            #expect(Configuration.problems(environment: [name: "mail.example.org"]).isEmpty)
        }
        // Such a prefix hides no setting.
        #expect(ConfigurationKey.all.allSatisfy { EnvironmentNames.isOurs($0.environmentVariable) })
        #expect(Configuration.problems(environment: ["CAIRN_CROWDS_SECONDS": "9"]).count == 1)
    }

    /// As Kubernetes sets them in each container where services are called `cairn`, `cairn-web` and `cairn-listen`.
    @Test func variablesOfServices_areNoSettings() throws {
        var environment: [String: String] = [:]
        for service in ["CAIRN", "CAIRN_WEB", "CAIRN_LISTEN"] {
            environment[service + "_SERVICE_HOST"] = "10.96.0.7"
            environment[service + "_SERVICE_PORT"] = "8080"
            environment[service + "_SERVICE_PORT_HTTP"] = "8080"
            environment[service + "_PORT"] = "tcp://10.96.0.7:8080"
            for (name, number) in [("TCP", "8080"), ("UDP", "8443")] {
                let port = "\(service)_PORT_\(number)_\(name)"
                environment[port] = "\(name.lowercased())://10.96.0.7:\(number)"
                environment[port + "_PROTO"] = name.lowercased()
                environment[port + "_PORT"] = number
                environment[port + "_ADDR"] = "10.96.0.7"
            }
        }
        #expect(try Configuration.loadTesting(environment: environment).configuration.listen.port == 8_080)
        #expect(Configuration.problems(environment: ["CAIRN_SERVICES_HOST": "10.96.0.7"]).count == 1)
        #expect(Configuration.problems(environment: ["CAIRN_LISTEN_PORT": "10.96.0.7:8080"]).count == 1)
    }

    /// As a web view sends it for pages that are files of the app.
    @Test func originOfFiles_canBeNamed() throws {
        let loaded = try Configuration.loadTesting(overrides: ["listen.originsAllowed": "file://, https://a.example"])
        #expect(loaded.configuration.listen.originsAllowed == ["file://", "https://a.example"])
        for wrong in ["file:///index.html", "file://localhost/", "null", "https://"] {
            #expect(Configuration.problems(overrides: ["listen.originsAllowed": wrong]).count == 1, "\(wrong)")
        }
    }

    /// No shell has put the home in its place: a folder of that name would be made.
    @Test(arguments: ["storage.path", "backup.directory", "storage.keyFile"])
    func pathThatBeginsWithATilde_isRefused(name: String) {
        for path in ["~/world", "~", "~ada/world"] {
            let problems = Configuration.problems(overrides: [name: path])
            #expect(problems.count == 1 && problems.first?.contains(path) == true, "\(problems)")
        }
        #expect(Configuration.problems(overrides: [name: "./~world"]).isEmpty)
    }

    @Test func unknownFlag_namesTheNearest() {
        let problems = Configuration.problems(overrides: ["cell.level": "15"])
        #expect(problems.count == 1)
        #expect(problems[0].contains("cell.level in a flag; the nearest is cells.level"))
    }

    @Test func keyLikeNothing_namesNoNearest() {
        let problems = Configuration.problems(overrides: ["zzzzzzzzzzzzzzzzzzzzzzzzzz": "1"])
        #expect(problems.count == 1)
        #expect(problems[0].contains("nearest") == false)
    }

    @Test func badValue_namesKeyWhatItGotWhereAndWhatItWants() {
        let problems = Configuration.problems(environment: ["CAIRN_LISTEN_PORT": "http"])
        #expect(
            problems == [
                "listen.port: got \"http\" (environment CAIRN_LISTEN_PORT), wants a whole number from 0 to 65535"
            ])
    }

    @Test(arguments: [
        ("listen.port", "65536"), ("listen.port", "-1"), ("listen.port", "80.5"), ("listen.port", ""),
        ("listen.port", "99999999999999999999"), ("listen.port", "auto"),
        ("listen.address", "localhost"), ("listen.address", "127.0.0.1 "), ("listen.behindProxy", "maybe"),
        ("listen.originsAllowed", "example.org"), ("listen.originsAllowed", "https://a.example/path"),
        ("listen.tlsKey", "/nowhere/key.pem"), ("cells.viewRadiusMetres", "nan"), ("cells.viewRadiusMetres", "inf"),
        ("cells.viewRadiusMetres", "0"), ("storage.synchronous", "off"), ("storage.path", ""),
        ("storage.path", "/dev/null"), ("logging.level", "loud"), ("debug.echoPath", "echo"),
    ])
    func badValue_isRefused(name: String, value: String) throws {
        try Configuration.expectRefusal(of: value, for: name)
    }

    @Test func listWhereANumberIsWanted_isRefused() throws {
        let file = try TemporaryFile("listen: { port: [1, 2] }\n")
        #expect(Configuration.problems(file: file).first?.hasPrefix("listen.port: got \"[1, 2]\"") == true)
    }

    @Test func severalProblems_areAllTold() throws {
        let file = try TemporaryFile("listen:\n  port: x\ncells:\n  levl: 12\n")
        #expect(Configuration.problems(file: file).count == 2)
    }

    @Test func hostileValue_staysOnOneShortLine() {
        let value = "x\n\u{1B}[31m" + String(repeating: "y", count: 10_000)
        let problems = Configuration.problems(overrides: ["listen.port": value])
        #expect(problems.count == 1)
        #expect(problems[0].unicodeScalars.allSatisfy { $0.value >= 0x20 })
        #expect(problems[0].count < 200)
    }

    @Test(arguments: ["a: [", "- a\n- b\n", "just words", "a: 1\na: 2\n", "listen: { port: [[1]] }\n"])
    func whatIsNoFileOfKeys_isOneProblemThatNamesTheFile(text: String) throws {
        let file = try TemporaryFile(text)
        let problems = Configuration.problems(file: file)
        #expect(problems.count == 1)
        #expect(problems.first?.contains(file.path) == true)
        #expect(problems.first?.contains("\n") == false)
    }

    @Test func missingFile_isNamed() {
        do throws(ConfigurationError) {
            _ = try Configuration.load(file: "/nowhere/cairn.yaml", environment: ["HOME": "/people/a"], overrides: [:])
            Issue.record("a missing file was taken")
        } catch {
            #expect(error.problems == ["cannot read the file /nowhere/cairn.yaml"])
        }
    }
}
