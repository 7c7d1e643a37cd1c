public import CairnWire

/// Notifications (NTF-1 to NTF-3). New ones come as `ClientEvent.notified`, and the client acknowledges them by itself.
extension CairnClient {
    /// A page of all notifications that the server keeps, newest first.
    /// - Parameters:
    ///   - count: of the page, 1 to 100.
    ///   - after: `next` of the page before; empty = the first page.
    public func notifications(count: Int = 20, after: String = "") async throws(Refusal) -> WireNotificationPage {
        var body = WireListNotifications()
        body.count = UInt32(clamping: count)
        body.after = after
        return try await ask(body)
    }

    /// Marks notifications as read, on all devices of the person.
    /// - Parameter ids: 1 to 100.
    public func markRead(_ ids: [String]) async throws(Refusal) {
        var body = WireMarkRead()
        body.ids = ids
        _ = try await ask(body)
    }

    /// Marks all notifications as read up to a mark (`WireNotificationPage.mark`).
    public func markAllRead(until mark: String) async throws(Refusal) {
        var body = WireMarkRead()
        body.allUntil = mark
        _ = try await ask(body)
    }

    /// Says where the service of this device's platform takes pushes; empty = no pushes.
    public func registerPush(address: String) async throws(Refusal) {
        var body = WireRegisterPush()
        body.address = address
        _ = try await ask(body)
    }
}
