import CairnConfiguration
import CairnWebSocket
import Testing

@testable import CairnServer

/// Whose request it is when proxies stand between.
@Suite("Doors: proxies") struct ProxyRuleTests {
    private let proxy = Self.address("10.0.0.1")
    private let stranger = Self.address("192.0.2.7")

    private static func address(_ text: String) -> PeerAddress {
        guard let address = PeerAddress(numeric: text) else { preconditionFailure("\(text) is no address") }
        return address
    }

    private func rule(
        behindProxy: Bool = true, trusted: [String] = ["10.0.0.0/8", "2001:db8:1::/48"],
        header: Configuration.Listen.ForwardedHeader = .xForwardedFor
    ) -> ProxyRule {
        var listen = Configuration.Listen()
        listen.behindProxy = behindProxy
        listen.trustedProxies = trusted
        listen.forwardedHeader = header
        return ProxyRule(listen)
    }

    private func client(ofXForwardedFor list: String, from peer: PeerAddress? = nil) -> ProxyRule.Client {
        rule().client(of: peer ?? proxy, Forwarding(xForwardedFor: list, isAny: true))
    }

    private func client(ofForwarded list: String) -> ProxyRule.Client {
        rule(header: .forwarded).client(of: proxy, Forwarding(forwarded: list, isAny: true))
    }

    private func known(_ text: String) -> ProxyRule.Client { .known(Self.address(text)) }

    @Test func withoutProxy_thePeerIsTheClient() {
        #expect(rule(behindProxy: false).client(of: stranger, Forwarding()) == .known(stranger))
    }

    @Test func withoutProxy_whatWasForwarded_isMistrusted() {
        let forwarding = Forwarding(xForwardedFor: "192.0.2.1", isAny: true)
        #expect(rule(behindProxy: false).client(of: proxy, forwarding) == .mistrusted)
        #expect(rule(behindProxy: false).client(of: proxy, Forwarding(isAny: true)) == .mistrusted)
    }

    @Test func onLoopback_anySignOfAProxy_isMistrusted() {
        var listen = Configuration.Listen()
        let (here, via) = (Self.address("127.0.0.1"), Forwarding(isLikely: true))
        #expect(ProxyRule(listen).client(of: here, via) == .mistrusted)
        listen.address = "192.0.2.1"
        #expect(ProxyRule(listen).client(of: stranger, via) == .known(stranger), "a client's own proxy")
    }

    /// The rights of this machine go by the peer, and so does the stricter rule.
    @Test(arguments: ["127.0.0.1", "::1"])
    func fromThisMachine_anySignOfAProxy_isMistrusted_onAnyListener(peer: String) {
        var listen = Configuration.Listen()
        listen.address = "0.0.0.0"
        let (here, via) = (Self.address(peer), Forwarding(isLikely: true))
        #expect(ProxyRule(listen).client(of: here, via) == .mistrusted)
        #expect(ProxyRule(listen).client(of: here, Forwarding()) == .known(here))
        #expect(ProxyRule(listen).client(of: stranger, via) == .known(stranger))
        #expect(rule().client(of: here, via) == .mistrusted, "this machine's proxy is not named")
        #expect(ProxyRule(Configuration.Listen(), address: "192.0.2.1").client(of: stranger, via) == .known(stranger))
        #expect(ProxyRule(listen, address: "127.0.0.1").client(of: stranger, via) == .mistrusted)
    }

    @Test func behindAProxy_plainText_isForTheProxyAndThisMachine() {
        #expect(rule().allowsPlainText(from: proxy) && rule().allowsPlainText(from: Self.address("127.0.0.1")))
        #expect(!rule().allowsPlainText(from: stranger))
        #expect(!rule(trusted: ["192.0.2.0/24"]).allowsPlainText(from: stranger), "a proxy over networks of others")
        #expect(rule(behindProxy: false).allowsPlainText(from: stranger), "the settings refuse it elsewhere")
    }

    @Test func aProxyThatIsNotTrusted_isNotBelieved() {
        #expect(client(ofXForwardedFor: "192.0.2.1", from: stranger) == .mistrusted)
    }

    @Test func theRightmostAddressThatIsNoProxys_isTheClient() {
        #expect(client(ofXForwardedFor: "192.0.2.1") == known("192.0.2.1"))
        #expect(client(ofXForwardedFor: "192.0.2.66, 192.0.2.1") == known("192.0.2.1"), "the first is the client's lie")
        #expect(client(ofXForwardedFor: "192.0.2.66 ,192.0.2.1\t, 10.9.9.9,10.0.0.2") == known("192.0.2.1"))
        #expect(client(ofXForwardedFor: "10.0.0.3, 10.0.0.2") == known("10.0.0.3"), "a client among the proxies")
    }

    @Test func forms_withPortsAndBrackets_areRead() {
        #expect(client(ofXForwardedFor: "192.0.2.1:4711") == known("192.0.2.1"))
        #expect(client(ofXForwardedFor: "2001:db8::7") == known("2001:db8::7"))
        #expect(client(ofXForwardedFor: "[2001:db8::7]:4711") == known("2001:db8::7"))
        #expect(client(ofXForwardedFor: "192.0.2.1, 2001:db8:1::5") == known("192.0.2.1"))
    }

    @Test func whatIsNoAddress_endsTheSearch() {
        #expect(client(ofXForwardedFor: "192.0.2.1, unknown") == .untold)
        #expect(client(ofXForwardedFor: "192.0.2.1, unknown, 10.0.0.2") == known("10.0.0.2"))
        #expect(client(ofXForwardedFor: "") == .untold)
        #expect(client(ofXForwardedFor: "192.0.2.1,") == .untold)
    }

    @Test func forwarded_isReadByItsGrammar() {
        #expect(client(ofForwarded: "for=192.0.2.43") == known("192.0.2.43"))
        #expect(
            client(ofForwarded: "for=192.0.2.66, proto=https;For=\"[2001:db8:cafe::17]:4711\"")
                == known("2001:db8:cafe::17"))
        #expect(client(ofForwarded: "for=192.0.2.43;by=\"a,b;for=192.0.2.66\"") == known("192.0.2.43"))
        #expect(client(ofForwarded: "for=192.0.2.43, by=10.0.0.1") == .untold)
        #expect(client(ofForwarded: "for=_hidden") == .untold)
    }

    /// A letter that joins with the comma behind it, or a quote that is never closed, before what the proxy adds.
    @Test(arguments: ["\u{600}", "\u{D4E}", "\"", "\\", "[", "\u{200D}", "\u{301}", "?"])
    func whatAClientWrites_neverHidesWhatTheProxyAdds(_ joining: String) {
        let lie = "192.0.2.66"
        for begin in ["", lie, "for=\(lie)", "for=\(lie);x=", "[\(lie)]", "for=\"[\(lie)]"] {
            #expect(client(ofXForwardedFor: "\(begin)\(joining), 192.0.2.1") == known("192.0.2.1"))
            #expect(client(ofXForwardedFor: "\(begin)\(joining),192.0.2.1") == known("192.0.2.1"))
            let told = client(ofForwarded: "\(begin)\(joining), for=192.0.2.1")
            #expect(told == known("192.0.2.1") || told == .known(proxy), "whoever is untold has no limits")
            #expect(client(ofForwarded: "\(begin)\(joining)\"\", for=192.0.2.1") != known(lie))
        }
    }

    @Test func theOtherHeader_isNotRead() {
        let both = Forwarding(xForwardedFor: "192.0.2.1", forwarded: "for=192.0.2.2", isAny: true)
        #expect(rule().client(of: proxy, both) == known("192.0.2.1"))
        #expect(rule(header: .forwarded).client(of: proxy, both) == known("192.0.2.2"))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.5", "10.0.0.5", true),
        ("10.0.0.5", "10.0.0.6", false), ("0.0.0.0/0", "192.0.2.1", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::/0", "10.0.0.1", true), ("2001:db8::1/128", "2001:db8::1", true),
    ])
    func network_holdsItsAddresses(_ network: String, _ address: String, _ isIn: Bool) throws {
        let range = try #require(NetworkRange(network))
        let address = try #require(PeerAddress(numeric: address))
        #expect(range.contains(address) == isIn)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "10.0.0.0/8/8", "2001:db8::/129", "a", "10.0.0.0/"])
    func network_thatIsNone_isRefused(_ text: String) { #expect(NetworkRange(text) == nil) }
}
