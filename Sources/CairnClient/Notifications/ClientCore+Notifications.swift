internal import CairnTime
internal import CairnWire

/// Notifications: each is reported once, whatever is sent again after a cut (NTF-1).
extension ClientCore {
    /// Takes what the server has sent, and acknowledges it.
    mutating func receive(_ item: WireNotifications, now: MonotonicTime) -> ClientEvent {
        let new = item.notifications.filter { knownNotifications.insert($0.id) }
        if !item.mark.isEmpty {
            var body = WireReceivedNotifications()
            body.mark = item.mark
            // Beyond the limit of requests it is not acknowledged: the next connection is sent it again.
            if let ticket = try? ask(body, now: now) {
                acknowledgements.insert(ticket)
            }
        }
        return .notified(new, unread: Int(item.unread))
    }
}

/// The ids of the notifications that a client has reported last. Older ones are acknowledged for certain.
struct KnownNotifications: Sendable {
    private var order: [String] = []
    private var ids: Set<String> = []

    /// Some messages' worth.
    private static let countMax = 512

    /// - Returns: whether it is new.
    mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.countMax { ids.remove(order.removeFirst()) }
        return true
    }
}
