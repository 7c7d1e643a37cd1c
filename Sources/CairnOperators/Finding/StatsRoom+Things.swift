internal import CairnConfiguration
internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWire

/// How the instances of a cell are sorted.
enum ThingOrder: String, CaseIterable, Sendable {
    case newest, oldest, kind, owner

    static let words = allCases.map(\.rawValue).joined(separator: "|")

    func sorted(_ things: [SeenInstance]) -> [SeenInstance] {
        // Ids ascend with time, so they decide between equals.
        things.sorted { one, other in
            switch self {
            case .newest: one.id > other.id
            case .oldest: one.id < other.id
            case .kind: (one.kind, one.what, other.id) < (other.kind, other.what, one.id)
            case .owner: (one.owner, other.id) < (other.owner, one.id)
            }
        }
    }
}

/// Which page of a cell's instances.
struct ThingChoice: Sendable {
    let cell: CellID
    private(set) var order = ThingOrder.newest
    private(set) var from = 0
    private(set) var top = Self.topUsual

    static let topUsual = 50
    static let topMax = 200

    init(_ arguments: StatsArguments) throws(StatsRefusal) {
        guard let token = arguments.words.first, let cell = CellID(token: token) else {
            throw StatsRefusal(.badArgument, "wants a cell's token, such as 4cc91a544")
        }
        self.cell = cell
        for word in arguments.words.dropFirst() {
            if let order = ThingOrder(rawValue: word) {
                self.order = order
            } else if word.hasPrefix("from="), let from = Int(word.dropFirst(5)), (0...1_000_000).contains(from) {
                self.from = from
            } else if word.hasPrefix("top="), let top = Int(word.dropFirst(4)), (1...Self.topMax).contains(top) {
                self.top = top
            } else {
                throw StatsRefusal(
                    .badArgument,
                    "\(word.prefix(40)) is no order (\(ThingOrder.words)), not from=N, not top=1 to \(Self.topMax)",
                    nearest: NearestName.of(word, in: ThingOrder.allCases.map(\.rawValue)))
            }
        }
    }
}

extension StatsRoom {
    /// Damaged rows that are named.
    private static let damagedNamed = 20

    func listThings(_ choice: ThingChoice, for someone: Operator) {
        let context = context
        guard choice.cell.level == context.configuration.cells.level else {
            return answer(
                someone,
                refusal: StatsRefusal(
                    .badArgument, "wants a cell of level \(context.configuration.cells.level); see cells \(choice.cell)"
                ))
        }
        perform(for: someone) {
            let kinds = context.register.withdrawals
            let answers = try await context.store.read(kinds.map { $0.contents(choice.cell) })
            let now = context.clock.lasting
            var (things, damage) = ([SeenInstance](), [DamagedRow]())
            for (kind, rows) in zip(kinds, answers) {
                for row in rows {
                    do throws(DamagedRow) {
                        let record = try kind.record(row)
                        if !record.isOver(at: now) { things.append(SeenInstance(record, context)) }
                    } catch {
                        damage.append(error)
                    }
                }
            }
            context.store.report(damage)
            let page = choice.order.sorted(things).dropFirst(choice.from).prefix(choice.top)
            return JSONLine.object { line in
                line.member("cell", choice.cell.token)
                line.member("of", things.count)
                line.array("things") { line in
                    for thing in page { line.element { $0.members(of: thing, context.identifiers, isBrief: true) } }
                }
                line.list("damaged", damage.prefix(Self.damagedNamed).map(\.name))
                line.member("damagedCount", damage.count)
                let next = choice.from + page.count
                if next < things.count, !page.isEmpty { line.member("next", next) } else { line.null("next") }
            }
        }
    }

    func showThing(_ id: InstanceID, for someone: Operator) {
        let context = context
        let name = context.identifiers.name(of: id)
        perform(for: someone) {
            let stored = try await StoredInstance.read(id, in: context)
            let history = try await context.signIn.audit(ofSubject: name)
            guard let stored else {
                let leaver = try await Self.leaver(of: id, by: history, in: context)
                guard leaver != nil || !history.isEmpty else {
                    throw StatsRefusal(
                        .notFound, "there is no such instance: it has ended, its owner has removed it, or it never was")
                }
                return JSONLine.object { line in
                    line.member("thing", name)
                    line.member("isGone", true)
                    if let leaver {
                        line.member("owner", context.identifiers.name(of: leaver.account))
                        line.member("isOwnerProven", leaver.isProven)
                    } else {
                        line.null("owner")
                    }
                    line.audit(history, context.identifiers)
                }
            }
            var totals = InstanceTotals.Sum()
            if case .sound(let record) = stored { totals = try await Self.totals(of: record, in: context) }
            return JSONLine.object { line in
                switch stored {
                case .sound(let record):
                    line.members(of: SeenInstance(record, context), context.identifiers, isBrief: false)
                    line.counts("counts", totals.counts)
                    line.member("isHidden", totals.isHidden)
                    line.list("can", [InstanceWithdrawal.command])
                case .damaged(let kind):
                    line.member("thing", name)
                    line.member("kind", kind)
                    line.member("isDamaged", true)
                }
                line.audit(history, context.identifiers)
            }
        }
    }

    /// Whose an instance was that is gone, as far as the audit log and the logs of features tell; nil = they do not.
    /// The audit log is sealed. Logs of features are not: a person who can write the database's file can change them.
    private static func leaver(
        of id: InstanceID, by history: [AuditRecord], in context: ServerContext
    ) async throws -> (account: AccountID, isProven: Bool)? {
        if let owner = history.first(where: { $0.action == .instanceRemove && $0.account != nil })?.account {
            return (owner, true)
        }
        let answers = try await context.store.read(context.register.withdrawals.compactMap { $0.leaver?(id) })
        let account = answers.lazy.compactMap { try? $0.first?.integer(0) }.first
        return account.map { (AccountID(rawValue: UInt64(bitPattern: $0)), false) }
    }

    private static func totals(
        of record: ObjectRecord, in context: ServerContext
    ) async throws -> InstanceTotals.Sum {
        let sources = context.register.totals.filter { $0.kind == record.kind }
        let answers = try await context.store.read(sources.map { $0.query(record.id) })
        var (all, damage) = (InstanceTotals.Sum(), [DamagedRow]())
        for (source, rows) in zip(sources, answers) {
            let sum = source.sum(rows, context.settings, &damage)
            all.counts.merge(sum.counts) { $0 + $1 }
            all.isHidden = all.isHidden || sum.isHidden
        }
        context.store.report(damage)
        return all
    }
}

extension JSONLine {
    /// Totals, sorted by name.
    fileprivate mutating func counts(_ name: StaticString, _ counts: [String: Int]) {
        object(name) { line in
            for (key, value) in counts.sorted(by: { $0.key < $1.key }) { line.member(named: key, value) }
        }
    }
}
