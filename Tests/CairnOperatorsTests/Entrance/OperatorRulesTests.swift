import CairnWebSocket
import Testing

@testable import CairnOperators

@Suite("Stats: who may come in")
struct OperatorRulesTests {
    private let authentication = OperatorAuthentication(credential: "correct-horse-battery-staple")
    private let loopback = PeerAddress(high: 0, low: 1)
    private let elsewhere = PeerAddress(high: 0, low: 0xFFFF_0A00_0001)

    private func refusal(
        from address: PeerAddress? = nil, origin: String = "", credential: String = "correct-horse-battery-staple",
        isTLS: Bool = false, isOpen: Bool = true, behindProxy: Bool = false
    ) -> OperatorFigures.Reason? {
        OperatorRules(isOpen: isOpen, behindProxy: behindProxy).refusal(
            of: .init(
                address: address ?? loopback, host: "cairn.example:8080", origin: origin,
                authorization: "Bearer \(credential)", cookie: "", isTLS: isTLS),
            authentication: authentication)
    }

    @Test func credential_onThisMachine_comesIn() { #expect(refusal() == nil) }

    @Test func plainText_fromElsewhere_isRefusedWhateverItCarries() {
        #expect(refusal(from: elsewhere) == .plainText)
        #expect(refusal(from: elsewhere, isTLS: true) == nil)
        #expect(refusal(from: elsewhere, behindProxy: true) == nil)
    }

    @Test func ownPages_comeInAndOthersDoNot() {
        #expect(refusal(origin: "http://cairn.example:8080") == nil)
        #expect(refusal(origin: "https://cairn.example:8080", isTLS: true) == nil)
        #expect(refusal(origin: "https://cairn.example:8080", behindProxy: true) == nil)
        #expect(refusal(origin: "http://cairn.example:8080", behindProxy: true) == nil, "past the proxy")
        #expect(refusal(origin: "https://cairn.example:8080") == .origin)
        #expect(refusal(origin: "http://cairn.example:8080", isTLS: true) == .origin)
        for origin in [
            "https://evil.example", "http://cairn.example:8081", "null", "http://cairn.example:8080.evil.example",
        ] {
            #expect(refusal(origin: origin) == .origin)
        }
    }

    @Test func wrongCredential_isRefused() { #expect(refusal(credential: "x") == .credential) }

    @Test func listenerThatIsNotTheirs_isClosedToOperators() { #expect(refusal(isOpen: false) == .listener) }
}
