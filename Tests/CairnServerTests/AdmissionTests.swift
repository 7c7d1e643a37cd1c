import CairnConfiguration
import CairnTesting
import CairnTime
import CairnWebSocket
import Testing

@testable import CairnServer

/// Caps and rates of one address, and whose address it is (SES-12).
@Suite("Admission") struct AdmissionTests {
    private static let network: UInt64 = 0x2001_0DB8_0000_0001

    private func admission(perAddress: Int = 0, perSecond: Int = 0, tlsPerSecond: Int? = nil) -> Admission {
        var listen = Configuration.Listen()
        listen.connectionsMax = 100
        listen.connectionsPerAddress = perAddress
        listen.handshakesPerSecondPerAddress = perSecond
        listen.tlsCertificate = tlsPerSecond.map { _ in "certificate.pem" }
        listen.tlsHandshakesPerSecondPerAddress = tlsPerSecond ?? 1
        return Admission(listen)
    }

    private func ipv4(_ number: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xFFFF_0A00_0000 + number) }

    private func ipv6(_ low: UInt64, in network: UInt64 = Self.network) -> PeerAddress {
        PeerAddress(high: network, low: low)
    }

    @Test func addressesOfIPv4_countEachForThemselves() {
        let admission = admission(perAddress: 1)
        #expect(admission.rejection(of: ipv4(1), now: 0) == nil)
        #expect(admission.rejection(of: ipv4(1), now: 0) == .admission)
        #expect(admission.rejection(of: ipv4(2), now: 0) == nil)
        admission.released(ipv4(1))
        #expect(admission.rejection(of: ipv4(1), now: 0) == nil)
    }

    @Test func addressesOfOneIPv6Network_countTogether() {
        let admission = admission(perAddress: 2)
        #expect(admission.rejection(of: ipv6(1), now: 0) == nil)
        #expect(admission.rejection(of: ipv6(2), now: 0) == nil)
        #expect(admission.rejection(of: ipv6(3), now: 0) == .admission)
        #expect(admission.rejection(of: ipv6(3, in: Self.network + 1), now: 0) == nil)
        admission.released(ipv6(1))
        #expect(admission.rejection(of: ipv6(4), now: 0) == nil)
    }

    @Test func rate_isOfANetworkToo_andOfOneSecond() {
        let admission = admission(perSecond: 2)
        #expect(admission.rejection(of: ipv6(1), now: 10) == nil && admission.rejection(of: ipv6(2), now: 20) == nil)
        #expect(admission.rejection(of: ipv6(3), now: 30) == .admission)
        #expect(admission.rejection(of: ipv6(3), now: 1_000_000) == nil)
    }

    /// How many of so many tries within a second come in.
    private func comers(of admission: Admission, tries: Int, second: UInt64) -> Int {
        (0..<tries).count { number in
            let now = MonotonicTime(microseconds: second * 1_000_000 + UInt64(number))
            guard admission.rejection(of: ipv4(1), now: now) == nil else { return false }
            admission.released(ipv4(1))
            return true
        }
    }

    @Test func addressThatFloods_getsAFifthOfItsRate_inTheSecondAfter() {
        let admission = admission(perSecond: 10)
        #expect(comers(of: admission, tries: 40, second: 1) == 10)
        #expect(admission.rejection(of: ipv4(2), now: 1_500_000) == nil)
        #expect(comers(of: admission, tries: 40, second: 2) == 2)
        #expect(comers(of: admission, tries: 30, second: 3) == 2)
        #expect(comers(of: admission, tries: 30, second: 4) == 10)
        #expect(comers(of: admission, tries: 39, second: 5) == 10)
        #expect(comers(of: admission, tries: 40, second: 6) == 10)
        // A second in which nothing came lies between.
        #expect(comers(of: admission, tries: 30, second: 8) == 10)
    }

    @Test func floodOfOneAddress_isNotHeldAgainstAnother() {
        let admission = admission(perSecond: 10)
        #expect(comers(of: admission, tries: 40, second: 1) == 10)
        let others = (0..<10).filter { admission.rejection(of: ipv4(2), now: 2_000_000 + .microseconds($0)) == nil }
        #expect(others.count == 10)
    }

    @Test func trustedProxy_hasNoLimitOfItsOwn_butItsClientsHave() throws {
        var listen = Configuration.Listen()
        listen.behindProxy = true
        listen.trustedProxies = ["10.0.0.1"]
        listen.connectionsPerAddress = 1
        let admission = Admission(listen)
        #expect(admission.rejection(of: ipv4(1), now: 0) == nil && admission.rejection(of: ipv4(1), now: 0) == nil)
        #expect(admission.claims(ipv4(7), now: 0))
        #expect(!admission.claims(ipv4(7), now: 0))
        #expect(admission.claims(ipv4(8), now: 0))
        admission.unclaimed(ipv4(7))
        #expect(admission.claims(ipv4(7), now: 0))
        #expect(admission.rejection(of: ipv4(2), now: 0) == nil)
        #expect(admission.rejection(of: ipv4(2), now: 0) == .admission, "no proxy of ours")
    }

    @Test func loopback_isNotTheNetworkOfAllThatBeginsWithZeroes() {
        let loopback = PeerAddress(high: 0, low: 1)
        #expect(loopback.isLoopback && loopback.network == loopback)
        #expect(ipv4(1).network == ipv4(1) && !ipv4(1).isLoopback)
    }

    @Test func tlsHandshakes_ofOneAddress_haveABudget_thatFillsAgain() {
        let admission = admission(tlsPerSecond: 2)
        // Five seconds' worth at once, whether the connections stay or go.
        for _ in 0..<10 {
            #expect(admission.rejection(of: ipv4(1), now: 0) == nil)
            admission.released(ipv4(1))
        }
        #expect(admission.rejection(of: ipv4(1), now: 0) == .tlsHandshakes)
        #expect(admission.rejection(of: ipv4(2), now: 0) == nil, "another address has its own")
        #expect(admission.rejection(of: ipv4(1), now: 500_000) == nil)
        #expect(admission.rejection(of: ipv4(1), now: 500_000) == .tlsHandshakes)
    }

    @Test func connectionsTurnedAwayForTheirHandshake_areNotOpen() {
        let admission = admission(perAddress: 6, tlsPerSecond: 1)
        for _ in 0..<5 { #expect(admission.rejection(of: ipv4(1), now: 0) == nil) }
        for _ in 0..<10 { #expect(admission.rejection(of: ipv4(1), now: 0) == .tlsHandshakes) }
        #expect(admission.rejection(of: ipv4(1), now: 1_000_000) == nil, "the sixth")
    }

    @Test func plainConnections_costNoHandshake() {
        let admission = admission()
        for _ in 0..<50 { #expect(admission.rejection(of: ipv4(1), now: 0) == nil) }
    }

    @Test func addressThatHasSpentItsBudget_isNotForgotten_whenOthersAre() {
        let admission = admission(tlsPerSecond: 1)
        func visits(_ number: UInt64, now: MonotonicTime) -> Bool {
            guard admission.rejection(of: ipv4(number), now: now) == nil else { return false }
            admission.released(ipv4(number))
            return true
        }
        for number in 1..<UInt64(Admission.addressesMax) { #expect(visits(number, now: 0)) }
        let later: MonotonicTime = 5_000_000
        for _ in 0..<5 { #expect(visits(0, now: later)) }
        #expect(visits(9_999, now: later), "makes room for itself")
        #expect(!visits(0, now: later))
    }
}
