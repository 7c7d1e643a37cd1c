import CairnConfiguration
import Testing

@testable import CairnServer

/// By which names a server may be called; a page that has its own name resolve to us must not get in (DNS rebinding).
@Suite("Doors: hosts") struct HostRuleTests {
    private func rule(
        address: String = "127.0.0.1", behindProxy: Bool = false, names: [String] = []
    ) -> HostRule {
        var listen = Configuration.Listen()
        listen.address = address
        listen.behindProxy = behindProxy
        listen.names = names
        return HostRule(listen)
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:65535", "localhost.:8080",
    ])
    func onLoopback_itsOwnNames_areGood(_ host: String) {
        #expect(rule().allows(host))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1evil",
        "10.0.0.1", "0.0.0.0", "[2001:db8::1]", "", ":8080", "[::1", "[::1]evil", "localhost:80a", "localhost:123456",
        "[localhost]", "evil@localhost", "2130706433", "0x7f000001",
    ])
    func onLoopback_anyOtherName_isRefused(_ host: String) {
        #expect(!rule().allows(host))
    }

    @Test func onLoopback_aNameOfTheSettings_isGood() {
        #expect(rule(names: ["World.Example"]).allows("world.example:8080"))
        #expect(!rule(names: ["world.example"]).allows("evil.example"))
    }

    @Test func onLoopback_theListenersOwnAddress_isGood() {
        #expect(rule(address: "127.0.0.5").allows("127.0.0.5:8080"))
    }

    @Test func elsewhere_withoutNames_anyNameIsGood() {
        #expect(rule(address: "0.0.0.0").allows("world.example"))
        #expect(rule(behindProxy: true).allows("world.example"))
    }

    @Test func elsewhere_withNames_onlyTheyAndAddressesAreGood() {
        let rule = rule(address: "0.0.0.0", names: ["world.example"])
        #expect(rule.allows("world.example") && rule.allows("10.1.2.3:8080") && rule.allows("[2001:db8::1]"))
        #expect(!rule.allows("evil.example"))
    }
}
