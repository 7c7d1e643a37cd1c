import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// Sign-ins that were under way when their account was signed out everywhere by a token (ACC-12).
@Suite("Outdated sign-ins") struct OutdatedSignInsTests {
    private static let account = AccountID(rawValue: 1)

    private static func term(issued: WallTime) -> AppTokenTerm { AppTokenTerm(issued: issued, expires: 1_000_000) }

    @Test func olderSignInThatWasUnderWay_isOutdated_andNoOther() {
        var outdated = OutdatedSignIns()
        outdated.note(Self.account, issuedBefore: 50, at: 1_000)
        #expect(outdated.contains(Self.account, Self.term(issued: 49), since: 1_000))
        #expect(outdated.contains(Self.account, nil, since: 999), "one of the server's own")
        #expect(!outdated.contains(Self.account, Self.term(issued: 50), since: 999), "a newer token")
        #expect(!outdated.contains(Self.account, Self.term(issued: 49), since: 1_001), "looked up afterwards")
        #expect(!outdated.contains(AccountID(rawValue: 2), Self.term(issued: 49), since: 999))
    }

    @Test func ofTwoNotes_theLaterTimeCounts() {
        var outdated = OutdatedSignIns()
        outdated.note(Self.account, issuedBefore: 50, at: 1_000)
        outdated.note(Self.account, issuedBefore: 40, at: 1_001)
        #expect(outdated.contains(Self.account, Self.term(issued: 49), since: 1_001))
    }

    @Test func note_isForgotten() {
        var outdated = OutdatedSignIns()
        outdated.note(Self.account, issuedBefore: 50, at: 0)
        outdated.forget(now: 59_000_000, kept: .seconds(60))
        #expect(outdated.contains(Self.account, nil, since: 0))
        outdated.forget(now: 60_000_000, kept: .seconds(60))
        #expect(!outdated.contains(Self.account, nil, since: 0))
    }
}
