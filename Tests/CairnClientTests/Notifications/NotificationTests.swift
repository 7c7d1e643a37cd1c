import CairnClient
import CairnWire
import Testing

/// A client reports each notification once and acknowledges what it has reported (NTF-1).
@Suite("Client: notifications")
struct NotificationTests {
    private static func item(_ ids: String..., unread: UInt32 = 0, mark: String = "mark-1") -> WireItem {
        var item = WireItem()
        item.notifications.notifications = ids.map { id in
            var notification = WireNotification()
            notification.id = id
            return notification
        }
        item.notifications.unread = unread
        item.notifications.mark = mark
        return item
    }

    @Test(arguments: [WireFormat.proto, .json])
    func notifications_areReportedAndAcknowledged(format: WireFormat) {
        var script = Script.live(format: format)
        let events = script.receive(Self.item("a", "b", unread: 2))
        #expect(events.notified == [["a", "b"]] && events.unread == [2])
        let sent = script.takeEnvelopes()
        #expect(sent.map(\.field) == [80])
        #expect(script.receive(.reply(id: sent[0].id, .done(WireDone()))).isEmpty, "the app has not asked for it")
        #expect(script.core.unansweredCount == 0)
    }

    /// A cut before the acknowledgement: the server sends it again, and the client acknowledges both.
    @Test func whatIsSentAgain_isReportedOnce() {
        var script = Script.live()
        _ = script.receive(Self.item("a", unread: 1))
        #expect(script.takeSent().map(\.receivedNotifications.mark) == ["mark-1"])
        _ = script.core.connectionClosed(code: 1_006, now: script.now)
        _ = script.open()
        let events = script.receive(Self.item("a", "b", unread: 2, mark: "mark-2"))
        #expect(events.notified == [["b"]])
        #expect(script.takeSent().map(\.receivedNotifications.mark) == ["mark-1", "mark-2"])
    }

    @Test func numberOfUnreadOnes_isReportedAndNotAcknowledged() {
        var script = Script.live()
        let events = script.receive(Self.item(unread: 3, mark: ""))
        #expect(events.notified == [[]] && events.unread == [3])
        #expect(script.takeSent().isEmpty)
    }

    @Test func idsOfLongAgo_areForgotten() {
        var script = Script.live()
        for number in 0..<600 { #expect(script.receive(Self.item("\(number)")).notified == [["\(number)"]]) }
        #expect(script.receive(Self.item("599")).notified == [[]])
        #expect(script.receive(Self.item("0")).notified == [["0"]])
    }
}

extension [ClientEvent] {
    fileprivate var notified: [[String]] {
        compactMap { if case .notified(let new, _) = $0 { new.map(\.id) } else { nil } }
    }
    fileprivate var unread: [Int] { compactMap { if case .notified(_, let unread) = $0 { unread } else { nil } } }
}
