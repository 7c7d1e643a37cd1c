import CairnConfiguration
@testable import CairnOperators
import CairnServer
import Testing
@testable import CairnOperators

@Suite("Addresses to type")
struct ServerAddressesTests {
    @Test(arguments: ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"])
    func wildcard_isShownAsAHostThatABrowserCanGoTo(address: String) {
        var listen = Configuration.Listen()
        listen.address = address
        #expect(ServerAddresses(listen, port: 8443, own: nil).players.http == "http://localhost:8443")
    }

    @Test func wildcard_isShownAsTheConfiguredName() {
        var listen = Configuration.Listen()
        listen.address = "::"
        listen.names = ["ar.example.org", "other.example.org"]
        listen.tlsCertificate = "/certificate"
        #expect(ServerAddresses(listen, port: 8443, own: nil).players.webSocket == "wss://ar.example.org:8443")
    }

    @Test func ipv6_standsInBrackets() {
        var listen = Configuration.Listen()
        listen.address = "::1"
        #expect(ServerAddresses(listen, port: 1, own: nil).players.http == "http://[::1]:1")
    }

    @Test func operatorsWithAListenerOfTheirOwn_haveItsAddress() {
        let addresses = ServerAddresses(Configuration.Listen(), port: 8080, own: ("127.0.0.2", 8081))
        #expect(addresses.operators.http == "http://127.0.0.2:8081")
        #expect(addresses.players.http == "http://127.0.0.1:8080")
    }
}
