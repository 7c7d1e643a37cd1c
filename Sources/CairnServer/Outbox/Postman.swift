internal import CairnAdaptors
package import CairnConfiguration
package import CairnCore
internal import CairnStore
internal import CairnWire
package import Logging
internal import Synchronization

/// Sends the mails and pushes of the outbox through their adaptors (NTF-3), and decides which notifications a push
/// follows.
///
/// An entry is deleted when the adaptor has taken or refused it, or when it has expired; until then it is tried again
/// after growing pauses. A crash between the adaptor's answer and the deletion sends it once more under the same id, by
/// which the adaptor recognises it. Mails and pushes have a lane each, so an adaptor that hangs holds up its own alone.
package actor Postman {
    let store: Store
    private let adaptors: Adaptors
    let clock: ServerClock
    let identifiers: IdentifierIssuer
    private(set) var configuration: Configuration
    private var logger: Logger
    private nonisolated let sharedFigures = Mutex<[OutboxWay: PostmanFigures]>([:])
    private nonisolated let pokes: AsyncStream<Void>
    private nonisolated let poker: AsyncStream<Void>.Continuation
    private var lanes: [OutboxWay: Lane] = [:]

    /// What is under way to one adaptor.
    private struct Lane {
        /// Entries that are being sent.
        var underWay: Set<OutboxID> = []
        /// Entries that are over, whose deletion the store has not taken. They are not sent again.
        var over: Set<OutboxID> = []
        /// Entries that ended since the last look began: its rows may be older than their deletion.
        var ended: Set<OutboxID> = []
        var hasSaidOff = false
    }

    /// Entries of a lane that are handed to its adaptor at once. Further ones stay in the outbox.
    private static let parallelMax = 16
    private static let pollPause = Duration.seconds(1)
    /// How long a damaged row is passed over; `cairn verify` reports it meanwhile.
    private static let damagePause = Duration.seconds(3_600)

    init(
        store: Store, adaptors: Adaptors, clock: ServerClock, identifiers: IdentifierIssuer,
        configuration: Configuration, logger: Logger
    ) {
        self.store = store
        self.adaptors = adaptors
        self.clock = clock
        self.identifiers = identifiers
        self.configuration = configuration
        self.logger = logger
        (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package nonisolated func figures(_ way: OutboxWay) -> PostmanFigures {
        sharedFigures.withLock { $0[way, default: PostmanFigures()] }
    }

    /// Has it look for entries now, for a caller that has just stored one. From any thread.
    nonisolated func poke() { poker.yield() }

    package func apply(_ configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        for way in OutboxWay.allCases { lanes[way]?.hasSaidOff = false }
    }

    /// Sends until the task is cancelled: whenever it is poked, an entry is over, or a second has passed.
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

    /// Decides about pushes, and hands what is due to the adaptors. One at a time: `run` calls it.
    func look() async {
        for way in OutboxWay.allCases { lanes[way, default: Lane()].ended = [] }
        let (now, ways) = (clock.lasting, OutboxWay.allCases)
        // Those under way are due as well, and come first.
        let queries = ways.flatMap { way in
            [OutboxEntry.due(way, at: now, countMax: Self.parallelMax), OutboxEntry.summary(way)]
        }
        let notifications = StoredNotification.due(at: now, countMax: Self.decisionsMax)
        guard let answers = try? await store.read(queries + [notifications]) else { return }
        for (index, way) in ways.enumerated() {
            note(answers[2 * index + 1], of: way)
            await send(answers[2 * index], by: way)
        }
        await decidePushes(after: answers[2 * ways.count])
    }

    /// Hands the entries that are due to their adaptor, as many as may be under way.
    private func send(_ rows: [Row], by way: OutboxWay) async {
        var damage: [DamagedRow] = []
        let entries = OutboxEntry.entries(in: rows, into: &damage)
        await passOver(damage)
        for entry in entries {
            guard let lane = lanes[way], lane.underWay.count < Self.parallelMax, !lane.ended.contains(entry.id),
                lanes[way]?.underWay.insert(entry.id).inserted == true
            else { continue }
            Task {
                await deliver(entry)
                lanes[way]?.underWay.remove(entry.id)
                lanes[way]?.ended.insert(entry.id)
                poke()
            }
        }
    }

    private func note(_ rows: [Row], of way: OutboxWay) {
        guard let count = try? rows.first?.integer(0), let oldest = try? rows.first?.integer(1) else { return }
        self.count(way) {
            $0.waiting = Int(count)
            $0.oldest = count == 0 ? nil : WallTime(milliseconds: OutboxID(rawValue: UInt64(oldest)).milliseconds)
        }
    }

    private func passOver(_ damage: [DamagedRow]) async {
        guard !damage.isEmpty else { return }
        store.report(damage)
        let due = clock.lasting + Self.damagePause
        try? await store.commit(damage.map { OutboxEntry.postponement(ofRow: $0.key, until: due) })
    }

    // MARK: One entry

    private func deliver(_ entry: OutboxEntry) async {
        if lanes[entry.way]?.over.contains(entry.id) == true || entry.recipient.isEmpty { return await delete(entry) }
        guard entry.expiry > clock.lasting else { return await giveUp(entry, "it has expired") }
        let way = entry.way
        do {
            guard try await isWanted(entry) else { return await delete(entry) }
        } catch {
            // The store is read again with the next attempt.
            return await postpone(entry)
        }
        do {
            switch try await adaptors.call(entry.adaptor, entry.call(from: configuration.adaptors.mailFrom)) {
            case .done:
                count(way) { $0.sent += 1 }
            case .refused(let code, _):
                // The message may hold the address.
                count(way) { $0.refused += 1 }
                logger.notice(
                    "\(way.rawValue) \(entry.id): refused", metadata: ["code": "\(code)", "kind": "\(entry.kind)"])
            }
            await delete(entry)
        } catch .off {
            if lanes[way]?.hasSaidOff == false { logger.warning("adaptors.\(way.rawValue) is off: nothing is sent") }
            lanes[way]?.hasSaidOff = true
            count(way) { $0.givenUp += 1 }
            await delete(entry)
        } catch .stopped {
            // The next server sends it.
        } catch .unsendable {
            await giveUp(entry, "it is too long for an adaptor")
        } catch {
            count(way) { $0.failedAttempts += 1 }
            await postpone(entry)
        }
    }

    private func postpone(_ entry: OutboxEntry) async {
        let due = min(clock.lasting + OutboxEntry.pause(after: entry.attempts), entry.expiry)
        try? await store.commit([OutboxEntry.postponement(of: entry.id, attempts: entry.attempts + 1, until: due)])
    }

    private func giveUp(_ entry: OutboxEntry, _ cause: String) async {
        count(entry.way) { $0.givenUp += 1 }
        logger.warning(
            "\(entry.way.rawValue) \(entry.id): given up: \(cause)",
            metadata: ["attempts": "\(entry.attempts)", "kind": "\(entry.kind)"])
        await delete(entry)
    }

    /// An entry whose row stays is not sent again; its row is due still, and deleted when the store takes it.
    private func delete(_ entry: OutboxEntry) async {
        do {
            try await store.commit([OutboxEntry.deletion(of: entry.id)])
            lanes[entry.way]?.over.remove(entry.id)
        } catch {
            lanes[entry.way]?.over.insert(entry.id)
        }
    }

    func count(_ way: OutboxWay, _ change: (inout PostmanFigures) -> Void) {
        sharedFigures.withLock { change(&$0[way, default: PostmanFigures()]) }
    }
}

extension OutboxEntry {
    fileprivate var adaptor: AdaptorName {
        switch way {
        case .mail: .mail
        case .push: .push
        }
    }

    /// Everything that an adaptor learns of an entry (EXT-3).
    func call(from sender: String) -> AdaptorCall {
        var fields: [String: AdaptorValue] = [
            "text": .text(text), "kind": .text(kind), "date": .number(id.milliseconds / 1_000),
        ]
        switch way {
        case .mail:
            fields["from"] = .text(sender)
            fields["to"] = .text(recipient)
            fields["subject"] = .text(subject)
        case .push: fields["device"] = .text(recipient)
        }
        return AdaptorCall(id: id.description, action: "send", fields: fields)
    }
}
