import CairnConfiguration
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnCore
@testable import CairnServer

/// What every connection costs, and what only some have.
@Suite("Session extras") struct SessionExtrasTests {
    private let session = Session(
        participant: .make(), address: nil, limits: Configuration().connections, now: 0)

    /// Parts of each session: a field more than once too often is a megabyte in all, and nobody notices.
    @Test func partsOfASession_takeNoMoreThanTheyDid() {
        #expect(MemoryLayout<CoarsePlace?>.stride <= 64 && MemoryLayout<Session.Boards>.stride <= 32)
        #expect(MemoryLayout<Session.User>.stride <= 64 && MemoryLayout<Session.Follow>.stride <= 8)
    }

    @Test func extras_areAsTheyWereSet() throws {
        #expect(session.cursors.isEmpty && session.nonce.isEmpty && session.space == nil && session.absent.isEmpty)
        session.nonce = "once"
        session.puzzling[3] = [1, 2]
        session.cursors[Topic(Ground.here.cell)] = Cursor(epoch: 1, sequence: 2)
        session.notifications = NotificationDelivery(received: 7)
        #expect(session.nonce == "once" && session.puzzling == [3: [1, 2]])
        #expect(session.cursors.count == 1 && session.notifications.received == 7)
        #expect(session.puzzling.removeValue(forKey: 3) == [1, 2])
        session.nonce = ""
        #expect(session.puzzling.isEmpty && session.nonce.isEmpty && session.cursors.count == 1)
    }

    @Test func personWhoBecomesAGuest_hasNoneOfThePersons() {
        session.notifications = NotificationDelivery(received: 7)
        session.wantsTours = true
        session.becomesGuest()
        #expect(session.notifications == NotificationDelivery() && session.toursAsked.isEmpty && !session.wantsTours)
    }

    /// The answer of an earlier request must not have the connection read before.
    @Test func entranceCommand_hasTheConnectionToItself() {
        session.stage = .guest
        #expect(!session.isHeldByEntrance)
        session[entering: .bulk] = true
        #expect(!session.isHeldByEntrance)
        session[entering: .session] = true
        #expect(session.isHeldByEntrance)
        session[entering: .session] = false
        session.stage = .signingIn(
            Session.Hello(id: 1, field: 1, at: 0, resuming: nil, notifiedCount: 0))
        #expect(session.isHeldByEntrance)
    }

    /// Another person may sign in on the connection, whose own settings count, and no word of the one before.
    @Test(arguments: [true, false]) func wordAboutSharing_endsWithTheSignIn(said: Bool) {
        session.goBy(
            Sharing(
                saved: Sharing.Wish(shares: true, accuracy: .thousandMetres),
                said: Sharing.Wish(shares: said, accuracy: .exact)), initially: .tenMetres)
        #expect(session.shares == said)
        session.becomesGuest()
        #expect(session.sharing.saved.isEmpty && session.sharing.said.isEmpty && !session.shares)
        var sharing = session.sharing
        sharing.saved.shares = true
        session.goBy(sharing, initially: .tenMetres)
        #expect(session.shares && session.gridMetres == 10)
    }
}
