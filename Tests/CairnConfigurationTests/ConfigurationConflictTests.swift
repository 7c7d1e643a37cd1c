import CairnCore
import Testing

@testable import CairnConfiguration

@Suite("Configuration: settings that do not go together")
struct ConfigurationConflictTests {
    @Test(arguments: ["0.0.0.0", "::", "192.168.1.20", "::ffff:10.0.0.1"])
    func plainTextForOthers_isRefused(address: String) {
        let problems = Configuration.problems(overrides: ["listen.address": address])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("would serve others in plain text: set listen.tlsCertificate") == true)
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    func plainTextOnLoopback_isFine(address: String) throws {
        let loaded = try Configuration.loadTesting(overrides: ["listen.address": address])
        #expect(!loaded.configuration.accounts.open, "nobody has asked for it")
        #expect(loaded.configuration.listen.connectionsPerAddress == 0)
    }

    @Test(arguments: ["10.0.0.2", "172.30.41.0/24, 203.0.113.7", "192.168.1.7", "100.64.0.1", "fd00::2"])
    func behindAProxyOfAPrivateNetwork_plainTextIsFineAndNobodyIsLetInUnproved(proxies: String) throws {
        let loaded = try Configuration.loadTesting(
            overrides: [
                "listen.address": "0.0.0.0", "listen.behindProxy": "true", "listen.trustedProxies": proxies,
            ])
        #expect(!loaded.configuration.accounts.open)
        #expect(loaded.configuration.listen.connectionsPerAddress == 256, "of each client whom the proxy names")
    }

    /// Nobody could come to it but by plain text, from this machine or over networks of others.
    @Test(arguments: [nil, "127.0.0.0/8, ::1", "203.0.113.7", "172.32.0.1", "2001:db8::/32", "0.0.0.0/0"])
    func behindNoProxyOfAPrivateNetwork_plainTextForOthersIsRefused(proxies: String?) {
        var settings = ["listen.address": "192.0.2.1", "listen.behindProxy": "true"]
        settings["listen.trustedProxies"] = proxies
        let problems = Configuration.problems(overrides: settings)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("listen.address 192.0.2.1 would serve others in plain text") == true)
        #expect(problems.first?.contains("name the proxy's private address in listen.trustedProxies") == true)
    }

    /// Every request there would be refused: it comes in plain text, and from no proxy.
    @Test func plainListenerOfOperators_offLoopback_isRefused_alsoBehindAProxyOfThisMachine() {
        func problems(_ settings: [String: String]) -> [String] {
            Configuration.problems(overrides: settings.merging(["stats.listener": "192.0.2.1:8081"]) { $1 })
        }
        #expect(problems([:]).first?.hasPrefix("stats.listener 192.0.2.1 would serve operators in plain text") == true)
        let here = problems(["listen.behindProxy": "true"])
        #expect(here.count == 1 && here.first?.contains("listen.trustedProxies") == true, "\(here)")
        let elsewhere = ["listen.behindProxy": "true", "listen.trustedProxies": "127.0.0.0/8, 10.0.0.0/8"]
        #expect(problems(elsewhere).isEmpty)
    }

    @Test func ownTLS_behindAProxy_isRefused() throws {
        let file = try TemporaryFile("certificate")
        let problems = Configuration.problems(overrides: [
            "listen.behindProxy": "true", "listen.tlsCertificate": file.path, "listen.tlsKey": file.path,
        ])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("listen.behindProxy true with listen.tlsCertificate") == true)
    }

    @Test func withTLS_othersMayConnectWithinLimits() throws {
        let file = try TemporaryFile("not looked at before the server starts")
        let loaded = try Configuration.loadTesting(overrides: [
            "listen.address": "0.0.0.0", "listen.tlsCertificate": file.path, "listen.tlsKey": file.path,
        ])
        #expect(!loaded.configuration.accounts.open)
        #expect(loaded.configuration.listen.connectionsPerAddress == 256)
        #expect(loaded.configuration.listen.handshakesPerSecondPerAddress == 25)
    }

    @Test(arguments: ["listen.tlsCertificate", "listen.tlsKey"])
    func halfOfTLS_isRefused(name: String) throws {
        let file = try TemporaryFile("half")
        let problems = Configuration.problems(overrides: [name: file.path])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(name) is set without") == true)
    }

    @Test(arguments: [
        "adaptors.mail", "adaptors.push", "adaptors.identity", "adaptors.payment", "adaptors.receipts",
    ])
    func standIn_isThereWhereAWordAsksForItOnLoopbackOnly(key: String) throws {
        #expect(try Configuration.loadTesting()[key]?.value.plain == "off")
        #expect(try Configuration.loadTesting(opening: .demanded)[key]?.value.plain == "builtin")
        let environment = ["CAIRN_LISTEN_BEHIND_PROXY": "true"]
        let behindProxy = try Configuration.loadTesting(environment: environment, opening: .whereLocal)
        #expect(behindProxy[key]?.value.plain == "off")
        let problems = Configuration.problems(environment: environment, overrides: [key: "builtin"])
        #expect(problems.first?.hasPrefix("\(key) builtin behind a proxy would ") == true)
    }

    @Test func mailFolderInTheData_isRefused() {
        let data = "/people/tester/data"
        for folder in [data, data + "/mails", data + "/../data/mails"] {
            let problems = Configuration.problems(overrides: ["storage.path": data, "adaptors.mailFolder": folder])
            #expect(problems.first?.hasPrefix("adaptors.mailFolder \(folder) is in storage.path") == true)
        }
        let beside = ["storage.path": data, "adaptors.mailFolder": data + ".mail"]
        #expect(Configuration.problems(overrides: beside).isEmpty)
    }

    @Test func adaptorThatIsNoProgram_isRefused() {
        for text in ["", " ", "/nowhere/adaptor", "no-such-program-anywhere --loud"] {
            #expect(!Configuration.problems(overrides: ["adaptors.mail": text]).isEmpty, "\(text)")
        }
        #expect(Configuration.problems(overrides: ["adaptors.mail": "sh -c true"]).isEmpty)
    }

    @Test(arguments: [("accounts.open", "true"), ("debug.echoPath", "/echo")])
    func whatIsForLoopback_isRefusedElsewhere(name: String, value: String) throws {
        _ = try Configuration.loadTesting(overrides: [name: value])
        let behindProxy = Configuration.problems(overrides: [name: value, "listen.behindProxy": "true"])
        #expect(behindProxy.count == 1)
        #expect(behindProxy.first?.contains(name) == true)
        let file = try TemporaryFile("certificate")
        let open = Configuration.problems(overrides: [
            name: value, "listen.address": "0.0.0.0", "listen.tlsCertificate": file.path, "listen.tlsKey": file.path,
        ])
        #expect(open.count == 1)
        #expect(open.first?.contains(name) == true)
    }

    @Test(arguments: [
        ("connections.silenceSeconds", "20", "connections.pingSeconds"),
        ("connections.messagesBurst", "49", "connections.messagesPerSecond"),
        ("connections.receiveBufferBytes", "65537", "connections.messageBytesMax"),
        ("accounts.nameCharactersMax", "2", "accounts.nameCharactersMin"),
        ("storage.retryMaxMilliseconds", "99", "storage.retryFirstMilliseconds"),
    ])
    func pairsOutOfOrder_areRefusedWithBothValues(name: String, value: String, other: String) {
        let problems = Configuration.problems(overrides: [name: value])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("\(name) is \(value)") == true)
        #expect(problems.first?.contains("\(other) is ") == true)
    }

    @Test func viewOfTooManyCells_isRefused() throws {
        let wide = ["cells.viewRadiusMetres": "1000"]
        #expect(Configuration.problems(overrides: wide).first?.contains("lower the level or the radius") == true)
        _ = try Configuration.loadTesting(overrides: ["cells.viewRadiusMetres": "1000", "cells.level": "14"])
    }
}
