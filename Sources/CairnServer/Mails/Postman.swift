internal import CairnAdaptors
package import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire
package import Logging
internal import Synchronization

/// Sends the mails of the outbox through the mail adaptor (NTF-3).
///
/// A mail is deleted when the adaptor has taken or refused it, or when it has expired; until then it is tried again
/// after growing pauses. A crash between the adaptor's answer and the deletion sends it once more under the same id, by
/// which the adaptor recognises it.
package actor Postman {
    private let store: Store
    private let adaptors: Adaptors
    private let clock: ServerClock
    private var settings: Configuration.Adaptors
    private var logger: Logger
    private nonisolated let sharedFigures = Mutex(PostmanFigures())
    private nonisolated let pokes: AsyncStream<Void>
    private nonisolated let poker: AsyncStream<Void>.Continuation
    /// Mails that are being sent.
    private var underWay: Set<MailID> = []
    /// Mails that are over, whose deletion the store has not taken. They are not sent again.
    private var over: Set<MailID> = []
    /// Mails that ended since the last look began: its rows may be older than their deletion.
    private var ended: Set<MailID> = []
    private var hasSaidOff = false

    /// Mails that are handed to the adaptor at once. Further ones stay in the outbox.
    private static let parallelMax = 16
    private static let pollPause = Duration.seconds(1)
    /// How long a damaged row is passed over; `cairn verify` reports it meanwhile.
    private static let damagePause = Duration.seconds(3_600)

    init(
        store: Store, adaptors: Adaptors, clock: ServerClock, settings: Configuration.Adaptors, logger: Logger
    ) {
        self.store = store
        self.adaptors = adaptors
        self.clock = clock
        self.settings = settings
        self.logger = logger
        (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package nonisolated var figures: PostmanFigures { sharedFigures.withLock { $0 } }

    /// Has it look for mails now, for a caller that has just stored one. From any thread.
    nonisolated func poke() { poker.yield() }

    package func apply(_ settings: Configuration.Adaptors, logger: Logger) {
        self.settings = settings
        self.logger = logger
        hasSaidOff = false
    }

    /// Sends mails until the task is cancelled: whenever it is poked, a mail is over, or a second has passed.
    package func run() async {
        let clock = Task { [poker] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pollPause)
                poker.yield()
            }
        }
        defer { clock.cancel() }
        await look()
        for await _ in pokes { await look() }
    }

    /// Hands the mails that are due to the adaptor, as many as may be under way.
    func look() async {
        // One at a time: `run` calls it.
        let room = Self.parallelMax - underWay.count
        guard room > 0 else { return }
        ended = []
        // Those under way are due as well, and come first.
        let due = OutgoingMail.due(at: clock.lasting, countMax: room + underWay.count)
        guard let answers = try? await store.read([due, OutgoingMail.summary]) else { return }
        note(answers[1])
        var damage: [DamagedRow] = []
        let mails = OutgoingMail.mails(in: answers[0], into: &damage)
        await passOver(damage)
        for mail in mails where underWay.count < Self.parallelMax && !ended.contains(mail.id) {
            guard underWay.insert(mail.id).inserted else { continue }
            Task {
                await deliver(mail)
                underWay.remove(mail.id)
                ended.insert(mail.id)
                poke()
            }
        }
    }

    private func note(_ rows: [Row]) {
        guard let count = try? rows.first?.integer(0), let oldest = try? rows.first?.integer(1) else { return }
        sharedFigures.withLock {
            $0.waiting = Int(count)
            $0.oldest = count == 0 ? nil : WallTime(milliseconds: MailID(rawValue: UInt64(oldest)).milliseconds)
        }
    }

    private func passOver(_ damage: [DamagedRow]) async {
        guard !damage.isEmpty else { return }
        store.report(damage)
        let due = clock.lasting + Self.damagePause
        try? await store.commit(damage.map { OutgoingMail.postponement(ofRow: $0.key, until: due) })
    }

    // MARK: One mail

    private func deliver(_ mail: OutgoingMail) async {
        if over.contains(mail.id) || mail.recipient.isEmpty { return await delete(mail.id) }
        guard mail.expiry > clock.lasting else { return await giveUp(mail, "it has expired") }
        do {
            switch try await adaptors.call(.mail, mail.call(from: settings.mailFrom)) {
            case .done:
                count { $0.sent += 1 }
            case .refused(let code, _):
                // The message may hold the address.
                count { $0.refused += 1 }
                logger.notice("mail \(mail.id): refused", metadata: ["code": "\(code)", "kind": "\(mail.kind)"])
            }
            await delete(mail.id)
        } catch .off {
            if !hasSaidOff { logger.warning("adaptors.mail is off: mails are given up") }
            hasSaidOff = true
            count { $0.givenUp += 1 }
            await delete(mail.id)
        } catch .stopped {
            // The next server sends it.
        } catch .unsendable {
            await giveUp(mail, "it is too long for an adaptor")
        } catch {
            count { $0.failedAttempts += 1 }
            let due = min(clock.lasting + OutgoingMail.pause(after: mail.attempts), mail.expiry)
            try? await store.commit([
                OutgoingMail.postponement(of: mail.id, attempts: mail.attempts + 1, until: due)
            ])
        }
    }

    private func giveUp(_ mail: OutgoingMail, _ cause: String) async {
        count { $0.givenUp += 1 }
        logger.warning(
            "mail \(mail.id): given up: \(cause)", metadata: ["attempts": "\(mail.attempts)", "kind": "\(mail.kind)"])
        await delete(mail.id)
    }

    /// A mail whose row stays is not sent again; its row is due still, and deleted when the store takes it.
    private func delete(_ id: MailID) async {
        do {
            try await store.commit([OutgoingMail.deletion(of: id)])
            over.remove(id)
        } catch {
            over.insert(id)
        }
    }

    private func count(_ change: (inout PostmanFigures) -> Void) {
        sharedFigures.withLock { change(&$0) }
    }
}

extension OutgoingMail {
    /// Everything that an adaptor learns of a mail (EXT-3).
    func call(from sender: String) -> AdaptorCall {
        AdaptorCall(
            id: id.description, action: "send",
            fields: [
                "from": .text(sender), "to": .text(recipient), "subject": .text(subject), "text": .text(text),
                "kind": .text(kind), "date": .number(id.milliseconds / 1_000),
            ])
    }
}
