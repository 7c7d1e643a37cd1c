internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWire

/// What an account has left and not removed: its instances, page by page, and the tours that its organisation made.
struct LeftPage: Sendable {
    /// The newest first.
    let things: [SeenInstance]
    /// Rows of the page that are damaged and left out.
    let damaged: Int
    /// Below it the next page begins; nil = this is the last one.
    let next: InstanceID?
    /// With the first page alone.
    let tours: [TourEntry]

    static let topUsual = 50
    static let topMax = InstancePage.countMax
    private static let toursMax = 100

    /// Whose, and which page.
    struct Choice: Sendable {
        let account: String
        private(set) var before: InstanceID?
        private(set) var top = LeftPage.topUsual

        init(_ arguments: StatsArguments, _ identifiers: IdentifierIssuer) throws(StatsRefusal) {
            account = try arguments.account()
            for word in arguments.words.dropFirst() {
                if word.hasPrefix("before="),
                    let id: InstanceID = identifiers.identifier(named: String(word.dropFirst("before=".utf8.count)))
                {
                    before = id
                } else if word.hasPrefix("top="), let top = Int(word.dropFirst(4)),
                    (1...LeftPage.topMax).contains(top)
                {
                    self.top = top
                } else {
                    throw StatsRefusal(
                        .badArgument, "\(word.prefix(40)) is neither before=INSTANCE nor top=1 to \(LeftPage.topMax)")
                }
            }
        }
    }

    static func read(
        of account: AccountID, before: InstanceID? = nil, top: Int = topUsual, in context: ServerContext
    ) async throws -> LeftPage {
        let kinds = context.register.withdrawals
        let page = InstancePage(below: before, now: context.clock.lasting, count: top)
        let answers = try await context.store.read(kinds.map { $0.owned(account, page) })
        var rows = zip(kinds, answers).flatMap { kind, rows in
            rows.compactMap { row in (try? row.integer(0)).map { (id: UInt64(bitPattern: $0), kind: kind, row: row) } }
        }
        rows.sort { $0.id > $1.id }
        var (things, damage): ([SeenInstance], [DamagedRow]) = ([], [])
        for (_, kind, row) in rows.prefix(top) {
            do throws(DamagedRow) { things.append(SeenInstance(try kind.record(row), context)) } catch {
                damage.append(error)
            }
        }
        context.store.report(damage)
        let organisation = before == nil ? context.organisations.organisation(of: account) : nil
        var tours: [TourEntry] = []
        if let organisation { tours = try await TourDesk(context).tours(of: organisation.id, countMax: toursMax) }
        return LeftPage(
            things: things, damaged: damage.count,
            next: rows.count > top ? InstanceID(rawValue: rows[top - 1].id) : nil,
            tours: Array(tours.prefix(toursMax)))
    }
}

extension StatsRoom {
    func listLeft(_ choice: LeftPage.Choice, for someone: Operator) {
        let (context, author) = (context, AccountAuthor.named(someone.name))
        perform(for: someone) {
            guard let account = try await context.signIn.account(named: choice.account) else { throw Self.noAccount }
            try await context.signIn.noteLookUp(of: [account], how: "what they left", by: author)
            let page = try await LeftPage.read(of: account, before: choice.before, top: choice.top, in: context)
            return JSONLine.object { line in
                line.member("account", context.identifiers.name(of: account))
                line.members(of: page, context)
            }
        }
    }
}

extension JSONLine {
    mutating func members(of page: LeftPage, _ context: ServerContext) {
        array("things") { line in
            for thing in page.things {
                line.element { $0.members(of: thing, context.identifiers, isBrief: true, showsPlace: false) }
            }
        }
        member("damagedCount", page.damaged)
        if let next = page.next { member("next", context.identifiers.name(of: next)) } else { null("next") }
        array("tours") { line in
            for tour in page.tours { line.element { $0.members(of: tour, context.signIn) } }
        }
    }
}
