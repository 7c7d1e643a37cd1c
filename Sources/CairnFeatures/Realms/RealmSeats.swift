internal import CairnCore
internal import CairnWire

/// A place in a sub-realm that a person is about to take.
///
/// All ways in pass the account of the person who comes in, whoever asks for it: there the sub-realms that the person
/// is in are counted, together with the places that earlier requests have taken and whose rows the count may lack. So
/// `perPersonMax` holds for requests at once, also of several people (SUB-1, SUB-4).
private struct RealmSeat: Attachment {
    let realm: RealmID
    /// Who has asked for it.
    let asker: AccountID
    /// By then the sub-realm has decided, and its row counts.
    let until: LastingTime

    /// Time for the sub-realm to decide and for the disk to take the row.
    static let lifetime = Duration.seconds(10)
}

extension ObjectKind {
    fileprivate static let seat = ObjectKind("realms.seat")
}

extension Realms {
    /// The queries for what `takeSeat` counts.
    static func roomQueries(for account: AccountID) -> [Query] {
        [RealmMember.query(of: account), RealmCandidate.query(of: account)]
    }

    /// In a person's account: refuses a sub-realm beyond `perPersonMax`, else takes the place. The count is the
    /// store's: the scopes that a request came with may be older than the last change.
    ///
    /// A sub-realm that has yet to approve the person at their own wish counts as well: owners approve without regard
    /// to one another. Those in which a friend has proposed the person take no place before the owner approves, and
    /// then `checkRoom` counts: else a former friend could close the person to all others.
    /// - Parameters:
    ///   - realm: the sub-realm that the request is about.
    ///   - rows: the answers to `roomQueries(for:)`.
    ///   - asker: who sends the request.
    static func takeSeat(
        of person: AccountID, in realm: RealmID, _ rows: ArraySlice<[Row]>, by asker: AccountID, in turn: inout Turn
    ) throws(Refusal) {
        guard let memberships = rows.first, let candidacies = rows.last else { return }
        let now = turn.lasting
        var known = Set(memberships.compactMap { try? $0.integer(0) })
        // Who is in it takes no other place; the sub-realm says so.
        guard !known.contains(Int64(bitPattern: realm.rawValue)) else { return }
        let pending = turn.read(candidacies, of: RealmCandidate.table) { row throws(ColumnFault) in
            (try row.integer(0), try RealmCandidate(stored: row))
        }
        .filter { _, candidate in candidate.state == .pending && candidate.ends > now }
        let asked = Set(pending.filter { !$0.1.isProposed }.map(\.0))
        let proposed = Set(pending.filter { $0.1.isProposed }.map(\.0))
        known.formUnion(asked)
        // Requests of one person are decided one after the other: the earlier ones have their rows, or none.
        turn.endSeats { $0.until <= now || (asker == person && $0.asker == person) }
        let seats = turn.seats.count { seat in
            let number = Int64(bitPattern: seat.realm.rawValue)
            // What another person has asked for was a proposal in the end.
            let isProposed = seat.asker != person && proposed.contains(number)
            return seat.realm != realm && !known.contains(number) && !isProposed
        }
        let others = asked.subtracting([Int64(bitPattern: realm.rawValue)]).count
        let (count, limit) = (memberships.count + others + seats, turn.settings.realms.perPersonMax)
        guard count < limit else {
            guard asker != person else {
                throw refusal(
                    .limitReached, "you are in \(count) sub-realms, or wait for approval",
                    details: ["count": "\(count)", "limit": "\(limit)"])
            }
            throw noRoom(for: person, limit, turn)
        }
        turn.keep(RealmSeat(realm: realm, asker: asker, until: now + RealmSeat.lifetime), of: person)
    }

    /// In a sub-realm whose owner approves a person whom a member has proposed: refuses a sub-realm beyond
    /// `perPersonMax`. It sees what is on disk: owners who approve at the same moment may exceed it by one each.
    /// - Parameter rows: the answers to `roomQueries(for:)`.
    static func checkRoom(
        of person: AccountID, _ rows: ArraySlice<[Row]>, in turn: inout Turn
    ) throws(Refusal) {
        guard let memberships = rows.first, let candidacies = rows.last else { return }
        let now = turn.lasting
        let asked = turn.read(candidacies, of: RealmCandidate.table) { row throws(ColumnFault) in
            try RealmCandidate(stored: row)
        }
        .count { $0.state == .pending && $0.ends > now && !$0.isProposed }
        let limit = turn.settings.realms.perPersonMax
        guard memberships.count + asked < limit else { throw noRoom(for: person, limit, turn) }
    }

    private static func noRoom(for person: AccountID, _ limit: Int, _ turn: Turn) -> Refusal {
        refusal(
            .limitReached, "the person is in as many sub-realms as one may be",
            details: ["account": turn.name(of: person), "limit": "\(limit)"])
    }
}

extension Turn {
    /// The person is in the sub-realm, so its row counts.
    mutating func endSeat(in realm: RealmID) { endSeats { $0.realm == realm } }

    fileprivate var seats: [RealmSeat] {
        objects.ids.compactMap { objects.record($0, .seat)?.attachments[RealmSeat.self] }
    }

    fileprivate mutating func endSeats(where isOver: (RealmSeat) -> Bool) {
        for seat in seats where isOver(seat) { objects[InstanceID(rawValue: seat.realm.rawValue)] = nil }
    }

    /// Numbers of accounts and sub-realms come from one source, so none stands for both.
    fileprivate mutating func keep(_ seat: RealmSeat, of person: AccountID) {
        var record = ObjectRecord(
            id: InstanceID(rawValue: seat.realm.rawValue), kind: .seat, owner: person, ownerName: "",
            audience: .owner(person), wire: WireInstance())
        record.attachments[RealmSeat.self] = seat
        objects[record.id] = record
    }
}
