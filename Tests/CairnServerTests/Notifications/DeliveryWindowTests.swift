import CairnWire
import Testing

@testable import CairnServer

/// How much a connection is sent before it acknowledges.
@Suite("Notifications: the window")
struct DeliveryWindowTests {
    private static func batch(_ count: Int, through last: Int64?, unread: Int = 0) -> NotificationBatch {
        NotificationBatch(
            notifications: (0..<count).map { _ in WireNotification() }, unread: unread, last: last,
            isFull: count == SignIn.notificationsMax)
    }

    @Test func changeWhileReading_isReadAfterwards() {
        var delivery = NotificationDelivery()
        #expect(delivery.begin() == true)
        #expect(delivery.begin() == false, "one reading at a time")
        let (isSent, isAgain) = delivery.end(Self.batch(1, through: 5))
        #expect(isSent && isAgain)
    }

    @Test func fullWindow_waitsForItsAcknowledgement() {
        var delivery = NotificationDelivery()
        #expect(delivery.begin() == true)
        _ = delivery.end(Self.batch(SignIn.notificationsMax, through: 64))
        #expect(delivery.begin() == false)
        delivery.acknowledge(through: 63)
        #expect(delivery.begin() == false, "of something before")
        delivery.acknowledge(through: 64)
        #expect(delivery.begin() == true)
    }

    /// What is switched off moves the connection on, and no message names it.
    @Test func acknowledgementOfTheLastMessage_opensTheWindow_thoughMoreWasLookedAt() {
        var delivery = NotificationDelivery()
        #expect(delivery.begin() == true)
        _ = delivery.end(Self.batch(SignIn.notificationsMax, through: 64))
        delivery.acknowledge(through: 64)
        #expect(delivery.begin() == true)
        let (isSent, _) = delivery.end(Self.batch(0, through: 70))
        #expect(!isSent && delivery.sent == 70)
        #expect(delivery.begin() == true)
    }

    @Test func numberOfUnreadOnes_isSentWhenItChanges() {
        var delivery = NotificationDelivery()
        for (unread, isNews) in [(0, false), (2, true), (2, false), (0, true)] {
            #expect(delivery.begin() == true)
            #expect(delivery.end(Self.batch(0, through: nil, unread: unread)).isSent == isNews)
        }
    }

    /// For sign-ins without a mark on the disk: it goes along with the session.
    @Test func resumedSession_goesOnBehindItsMark_andNoFurtherThanItWasSent() {
        var delivery = NotificationDelivery(received: 40)
        #expect(delivery.sent == 40)
        delivery.acknowledge(through: .max)
        #expect(delivery.received == 40)
    }

    @Test func readingThatFails_isTriedAtTheNextChange() {
        var delivery = NotificationDelivery()
        #expect(delivery.begin() == true)
        let (isSent, isAgain) = delivery.end(nil)
        #expect(!isSent && !isAgain)
        #expect(delivery.begin() == true)
    }
}
