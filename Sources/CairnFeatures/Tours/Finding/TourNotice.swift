internal import CairnCore
internal import CairnText
internal import CairnWire

/// That a person was told of a tour nearby (PRX-1, PRX-3): by it the same is not told again for a day, over restarts
/// and devices.
struct TourNotice: Attachment {
    let tour: TourID
    let at: LastingTime

    /// For so long a person is not told of the same tour again.
    static let rest = Duration.seconds(86_400)

    private static let seal = Seal("tour_notices")

    static let migration = Migration(
        "tour-notices-1",
        """
        CREATE TABLE tour_notices (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX tour_notices_account ON tour_notices (account, at)",
        "CREATE INDEX tour_notices_at ON tour_notices (at)")

    static let table = StoredTable(
        "tour_notices", of: .account, columns: ["id", "account", "at", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.rows(1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let notice = try TourNotice(stored: row)
            return ["tour": view.name(of: notice.tour), "at": .time(notice.at)]
        }
    ) { row throws(ColumnFault) in
        _ = try TourNotice(stored: row)
        return []
    }

    private static let recent = table.query("WHERE account = ? AND at >= ?")

    /// Of an account, in the last day.
    static func query(of account: AccountID, now: LastingTime) -> Query {
        recent.about(Tours.integer(account), .time(now - rest))
    }

    init(tour: TourID, at: LastingTime) { (self.tour, self.at) = (tour, at) }

    init(stored row: Row) throws(ColumnFault) {
        at = try row.lastingTime(2)
        tour = try row.within(3) { sealed throws(ColumnFault) in
            TourID(rawValue: UInt64(bitPattern: try sealed.integer(0)))
        }
    }

    func insertion(_ id: InstanceID, of account: AccountID) -> Statement {
        let bound = [Tours.integer(account), SQLValue.time(at)]
        return Statement(
            "INSERT INTO tour_notices (id, account, at, sealed) VALUES (?, ?, ?, ?)",
            arguments: [Tours.integer(id)] + bound + [
                .sealed([Tours.integer(tour)], Self.seal, row: Int64(bitPattern: id.rawValue), bound: bound)
            ], changing: 1)
    }
}

/// A connection of the account is near the area of a tour (PRX-1). The account's home tells its person, unless it has
/// lately: at most once a day of a tour, and `tours.noticesPerHour` in all; and nothing while the person is on a run
/// (PRX-3).
struct NearTour: HomeMessage {
    static let kind: StaticText = "tours.near"

    let tour: TourID
    /// That the person reads (BCP 47); empty = not said.
    let language: String

    init(tour: TourID, language: String) { (self.tour, self.language) = (tour, language) }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let parts = String(decoding: payload, as: UTF8.self).pieces(
            at: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = parts.first.flatMap({ TourID(String($0)) }) else { throw ColumnFault(0, .unreadable) }
        (tour, language) = (id, parts.count > 1 ? String(parts[1]) : "")
    }

    var payload: [UInt8] { Array("\(tour.description) \(language)".utf8) }

    /// It comes again.
    var ifNotHeard: [Effect]? { [] }

    /// What is in memory decides first, so that two devices that come near at once are told once: the disk may not know
    /// of the first one yet.
    func heard(in turn: inout Turn) -> [Effect] {
        guard case .account(let account) = turn.home, turn.names.tours.index.tour(tour) != nil else { return [] }
        guard mayTell(turn.tourNotices, turn) else { return [] }
        turn.note(TourNotice(tour: tour, at: turn.lasting), of: account)
        return [.inquire(RunFacts.query(of: account), Walking(near: self))]
    }

    /// Whether the person is on a run: a connection may not know it yet.
    struct Walking: HomeInquiry {
        let near: NearTour
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            guard case .account(let account) = turn.home else { return [] }
            guard let rows, rows.isEmpty else {
                turn.forgetNotice(of: near.tour)
                return []
            }
            return [.inquire(TourNotice.query(of: account, now: turn.lasting), Told(near: near))]
        }
    }

    fileprivate func mayTell(_ notices: [TourNotice], _ turn: Turn) -> Bool {
        !notices.contains { $0.tour == tour && turn.lasting - $0.at < TourNotice.rest }
            && notices.count { turn.lasting - $0.at < .seconds(3_600) } < turn.settings.tours.noticesPerHour
    }

    /// The notices on disk.
    struct Told: HomeInquiry {
        let near: NearTour
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            guard case .account(let account) = turn.home else { return [] }
            guard let rows, let offered = turn.names.tours.index.tour(near.tour) else {
                turn.forgetNotice(of: near.tour)
                return []
            }
            let notices = turn.read(rows, of: TourNotice.table, TourNotice.init(stored:))
            // The store may not know yet of a run that has just begun. It is looked at last, when the word that one has
            // just ended is here as well.
            guard !turn.hasJustBegunRun, near.mayTell(notices, turn) else {
                turn.forgetNotice(of: near.tour)
                return []
            }
            let (label, instance) = (
                offered.name.words(in: near.language)?.text ?? "", InstanceID(rawValue: near.tour.rawValue)
            )
            return [
                .write(TourNotice(tour: near.tour, at: turn.lasting).insertion(turn.newInstanceID(), of: account)),
                .notify(Notification.Draft(to: account, kind: .tourNearby, instance: instance, label: label)),
            ]
        }
    }
}

extension ObjectKind {
    fileprivate static let tourNotice = ObjectKind("tours.notice")
}

extension Turn {
    /// Those of the last day that are in memory.
    fileprivate var tourNotices: [TourNotice] {
        objects.ids.compactMap { objects.record($0, .tourNotice)?.attachments[TourNotice.self] }
    }

    fileprivate mutating func note(_ notice: TourNotice, of account: AccountID) {
        for old in tourNotices where lasting - old.at >= TourNotice.rest { forgetNotice(of: old.tour) }
        var record = ObjectRecord(
            id: InstanceID(rawValue: notice.tour.rawValue), kind: .tourNotice, owner: account, ownerName: "",
            audience: .owner(account), wire: WireInstance())
        record.attachments[TourNotice.self] = notice
        objects[record.id] = record
    }

    fileprivate mutating func forgetNotice(of tour: TourID) { objects[InstanceID(rawValue: tour.rawValue)] = nil }
}
