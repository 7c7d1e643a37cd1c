internal import CairnCore
internal import CairnWire

/// Sends connections the notifications that their devices have not received (NTF-1).
///
/// A connection asks the store when it is welcomed, whenever its account has a new notification, and when it has
/// acknowledged a full message. Notifications are read from the disk each time: nothing has to be remembered for
/// devices that are away, and a crash loses nothing.
extension Shard {
    func deliverNotifications(to participant: Participant) {
        guard let session = session(of: participant), case .user(let user) = session.stage,
            session.notifications.begin()
        else { return }
        let (signIn, number, hidden) = (context.signIn, session.notifications.sent, session.absent)
        // One task per connection: it waits for the disk.
        Task {
            let batch = try? await signIn.unreceived(
                by: user.token, of: user.account, after: number, without: hidden)
            self.post { $0.deliver(batch, to: participant, as: user) }
        }
    }

    func noteNotified() { context.signIn.services.noteNotified() }

    /// To all connections of a person on this shard.
    func deliverNotifications(of account: AccountID) {
        for case let session? in sessions where session.user?.account == account {
            deliverNotifications(to: session.participant)
        }
    }

    private func deliver(_ batch: NotificationBatch?, to participant: Participant, as reader: Session.User) {
        // The person may have signed out, and another one in.
        guard let session = session(of: participant), case .user(let user) = session.stage,
            user.account == reader.account, user.session == reader.session
        else { return }
        let (isSent, isAgain) = session.notifications.end(batch)
        if isSent, let batch {
            figures.notificationsSent += UInt64(batch.notifications.count)
            var item = WireItem()
            item.notifications.notifications = batch.notifications
            item.notifications.unread = UInt32(clamping: batch.unread)
            if !batch.notifications.isEmpty, let last = batch.last {
                item.notifications.mark = context.signIn.mark(last)
            }
            send(item, to: session)
        }
        if isAgain { deliverNotifications(to: participant) }
    }

    /// A device has acknowledged notifications, which is on disk.
    func receivedNotifications(through number: Int64, by session: Session) {
        session.notifications.acknowledge(through: number)
        deliverNotifications(to: session.participant)
    }
}
