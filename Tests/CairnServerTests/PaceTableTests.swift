import CairnConfiguration
import CairnCore
import CairnTesting
import CairnTime
import CairnWebSocket
import CairnWire
import Testing

@testable import CairnServer

/// How fast several connections may send together, those that come again included (SES-12).
@Suite("PaceTable") struct PaceTableTests {
    private static let second: Duration = .seconds(1)

    private static func makePace(now: MonotonicTime = 0) -> SharedPace {
        SharedPace(
            MessagePace(
                messagesPerSecond: 10, messagesBurst: 10, bytesPerSecond: 65_536, bytesBurst: 65_536, now: now))
    }

    private static func makeConfiguration() -> Configuration {
        var configuration = Configuration()
        configuration.connections.messagesPerSecond = 5
        configuration.connections.messagesBurst = 10
        configuration.listen.handshakesPerSecondPerAddress = 5
        return configuration
    }

    private static func pace(
        of account: AccountID, in paces: Paces = Paces(), signInsPerMinute: Int = 0
    ) -> SharedPace {
        paces.ofAccount(account, makeConfiguration().connections, signInsPerMinute: signInsPerMinute, now: 0)
    }

    private let here = PeerAddress(high: 0, low: 0xFFFF_0A00_0001)

    @Test func paceThatIsUsedUp_isUsedUpForTheNextConnection() {
        let table = PaceTable<Int>(countMax: 10)
        let first = table.pace(of: 1, now: 0) { Self.makePace() }
        for _ in 0..<10 { #expect(first.take(bytes: 10, now: 0) == .taken) }
        let verdict = table.pace(of: 1, now: 0) { Self.makePace() }.take(bytes: 10, now: 0)
        #expect(verdict == .refused(wait: .milliseconds(100)))
        #expect(table.pace(of: 2, now: 0) { Self.makePace() }.take(bytes: 10, now: 0) == .taken)
    }

    @Test func questionAboutASignIn_countsNothing() {
        let pace = Self.pace(of: AccountID(rawValue: 1), signInsPerMinute: 2)
        for _ in 0..<3 { #expect(pace.waitForSignIn(now: 0) == nil) }
        #expect(pace.signIn(now: 0) == nil)
        #expect(pace.waitForSignIn(now: 0) == .seconds(30) && pace.signIn(now: 0) == .seconds(30))
    }

    @Test func keysBeyondTheBound_makeRoomForThemselves() {
        let table = PaceTable<Int>(countMax: 4)
        func isRemembered(_ key: Int) -> Bool {
            !table.pace(of: key, now: 0) { Self.makePace() }.isFull(now: 0)
        }
        for key in 0..<5 { _ = table.pace(of: key, now: 0) { Self.makePace() }.take(bytes: 10, now: 0) }
        #expect(isRemembered(4) && !isRemembered(0))
    }

    @Test func keysWithNothingUsedUp_goFirst() {
        let table = PaceTable<Int>(countMax: 4)
        _ = table.pace(of: 0, now: 0) { Self.makePace() }.take(bytes: 10, now: 0)
        for key in 1..<5 { _ = table.pace(of: key, now: 0) { Self.makePace() } }
        #expect(!table.pace(of: 0, now: 0) { Self.makePace() }.isFull(now: 0))
    }

    @Test func strangersOfOneAddress_shareOnePace() throws {
        let paces = Paces()
        let listen = Self.makeConfiguration().listen
        let there = PeerAddress(high: 0, low: 0xFFFF_0A00_0002)
        func take(_ address: PeerAddress) throws -> MessagePace.Verdict {
            try #require(paces.ofStrangers(at: address, listen, now: 0)).take(bytes: 100, now: 0)
        }
        for _ in 0..<20 { #expect(try take(here) == .taken) }
        #expect(try take(here) == .refused(wait: .milliseconds(50)))
        #expect(try take(there) == .taken)
    }

    @Test func whereConnectionsHaveNoLimit_strangersHaveNone() {
        #expect(Paces().ofStrangers(at: here, Configuration().listen, now: 0) == nil)
        #expect(Paces().ofStrangers(at: nil, Self.makeConfiguration().listen, now: 0) == nil)
    }

    @Test func connectionsOfOneAccount_mayTogetherSendAsMuchAsTwo() {
        let (paces, account) = (Paces(), AccountID.make(1))
        func take() -> MessagePace.Verdict {
            Self.pace(of: account, in: paces).take(bytes: 10, now: 0)
        }
        for _ in 0..<20 { #expect(take() == .taken) }
        #expect(take() == .refused(wait: .milliseconds(100)))
    }

    @Test func signInsOfOneAccount_haveABudget_thatFillsAgain() {
        let pace = Self.pace(of: .make(1), signInsPerMinute: 6)
        for _ in 0..<3 { #expect(pace.signIn(now: 0) == nil) }
        #expect(pace.signIn(now: 0) == Self.second * 10)
        #expect(pace.signIn(now: .epoch + Self.second * 10) == nil)
    }

    @Test func signInsByName_areAFifthOfTheConnectionsOfAnAddress() throws {
        let strangers = try #require(Paces().ofStrangers(at: here, Self.makeConfiguration().listen, now: 0))
        for _ in 0..<5 { #expect(strangers.signIn(now: 0) == nil) }
        #expect(strangers.signIn(now: 0) == Self.second)
        #expect(strangers.signIn(now: .epoch + Self.second) == nil)
    }

    @Test func signInsWithoutALimit_areNotCounted() {
        let pace = Self.pace(of: .make(1))
        for _ in 0..<1_000 { #expect(pace.signIn(now: 0) == nil) }
        #expect(pace.isFull(now: 0))
    }
}
