import CairnWebSocket
import Testing

@testable import CairnServer

/// Caps and rates of one address, and whose address it is (SES-12).
@Suite("Admission") struct AdmissionTests {
    private static let network: UInt64 = 0x2001_0DB8_0000_0001

    private func admission(perAddress: Int = 0, perSecond: Int = 0) -> Admission {
        var listen = Configuration.Listen()
        listen.connectionsMax = 100
        listen.connectionsPerAddress = perAddress
        listen.handshakesPerSecondPerAddress = perSecond
        return Admission(listen)
    }

    private func ipv4(_ number: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xFFFF_0A00_0000 + number) }

    private func ipv6(_ low: UInt64, in network: UInt64 = Self.network) -> PeerAddress {
        PeerAddress(high: network, low: low)
    }

    @Test func addressesOfIPv4_countEachForThemselves() {
        let admission = admission(perAddress: 1)
        #expect(admission.admits(ipv4(1), now: 0))
        #expect(!admission.admits(ipv4(1), now: 0))
        #expect(admission.admits(ipv4(2), now: 0))
        admission.released(ipv4(1))
        #expect(admission.admits(ipv4(1), now: 0))
    }

    @Test func addressesOfOneIPv6Network_countTogether() {
        let admission = admission(perAddress: 2)
        #expect(admission.admits(ipv6(1), now: 0))
        #expect(admission.admits(ipv6(2), now: 0))
        #expect(!admission.admits(ipv6(3), now: 0))
        #expect(admission.admits(ipv6(3, in: Self.network + 1), now: 0))
        admission.released(ipv6(1))
        #expect(admission.admits(ipv6(4), now: 0))
    }

    @Test func rate_isOfANetworkToo_andOfOneSecond() {
        let admission = admission(perSecond: 2)
        #expect(admission.admits(ipv6(1), now: 10) && admission.admits(ipv6(2), now: 20))
        #expect(!admission.admits(ipv6(3), now: 30))
        #expect(admission.admits(ipv6(3), now: 1_000_000))
    }

    @Test func trustedProxy_hasNoLimitOfItsOwn_butItsClientsHave() throws {
        var listen = Configuration.Listen()
        listen.behindProxy = true
        listen.trustedProxies = ["10.0.0.1"]
        listen.connectionsPerAddress = 1
        let admission = Admission(listen)
        #expect(admission.admits(ipv4(1), now: 0) && admission.admits(ipv4(1), now: 0))
        #expect(admission.claims(ipv4(7), now: 0))
        #expect(!admission.claims(ipv4(7), now: 0))
        #expect(admission.claims(ipv4(8), now: 0))
        admission.unclaimed(ipv4(7))
        #expect(admission.claims(ipv4(7), now: 0))
        #expect(admission.admits(ipv4(2), now: 0) && !admission.admits(ipv4(2), now: 0), "no proxy of ours")
    }

    @Test func loopback_isNotTheNetworkOfAllThatBeginsWithZeroes() {
        let loopback = PeerAddress(high: 0, low: 1)
        #expect(loopback.isLoopback && loopback.network == loopback)
        #expect(ipv4(1).network == ipv4(1) && !ipv4(1).isLoopback)
    }
}
