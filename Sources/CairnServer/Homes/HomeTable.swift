internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnWire

/// The homes that a shard has in memory. Cells stand apart: positions look them up, by their number alone.
struct HomeTable {
    private var cells: [CellID: Cell] = [:]
    private var others: [HomeAddress: any Home] = [:]
    private(set) var counts: [HomeKind: Int] = [:]

    subscript(address: HomeAddress) -> (any Home)? {
        get {
            if case .cell(let id) = address { return cells[id] }
            return others[address]
        }
        set {
            let old: (any Home)?
            if case .cell(let id) = address {
                old = cells[id]
                cells[id] = newValue as? Cell
            } else {
                old = others.removeValue(forKey: address)
                if let newValue { others[address] = newValue }
            }
            counts[address.kind, default: 0] += (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }
    }

    func cell(_ id: CellID) -> Cell? { cells[id] }

    func account(_ id: AccountID) -> Account? { others[.account(id)] as? Account }

    /// Every home, in no order.
    var all: [any Home] { Array(cells.values) + others.values }
}

/// Homes on this shard.
extension Shard {
    /// The home with this address, which must live here; made when it is not in memory. The one place that knows which
    /// actor a kind of home is.
    func home(_ address: HomeAddress) -> any Home {
        switch address {
        case .cell(let id): cell(id)
        case .account(let id): account(id)
        case .realm(let id): homes[address] ?? begin(Realm(id: id, shard: self, context: context, now: now))
        case .space(let id): homes[address] ?? begin(Space(id: id, shard: self, context: context, now: now))
        }
    }

    /// The cell with this id, which must live here.
    func cell(_ id: CellID) -> Cell {
        homes.cell(id) ?? begin(Cell(id: id, shard: self, context: context, now: now))
    }

    /// The account with this id, which must live here.
    func account(_ id: AccountID) -> Account {
        homes.account(id) ?? begin(Account(id: id, shard: self, context: context, now: now))
    }

    private func begin<Kind: Home>(_ home: Kind) -> Kind {
        homes[home.address] = home
        resting.append(home)
        home.assumeIsolated { $0.began() }
        return home
    }

    // MARK: Work

    /// Gives a home work, wherever it lives; wakes it when it sleeps (SES-10).
    func give(_ work: HomeWork, to address: HomeAddress) {
        dispatch(.home(address, work), to: address)
    }

    /// Says something to a home. Leaves this shard after all that people are told.
    func tell(_ address: HomeAddress, _ message: any HomeMessage) {
        dispatch(.home(address, .hear(message)), to: address, isLast: true)
    }

    /// A client asks for something.
    /// - Parameter home: the one that answers; nil = the request is a change, which passes its sender's account first:
    ///   keys and quotas are there.
    func begin(_ request: Request, at home: HomeAddress?) {
        if let home { return give(.arrive(request), to: home) }
        let account = request.sender.account
        dispatch(.account(account, .receive(request)), to: .account(account))
    }

    /// A home has answered. An answer to a change goes to the connection that asked and, beside that, to the person's
    /// account, which keeps count of keys and quotas and answers those who sent the same key meanwhile.
    func answer(_ request: Request, _ answer: Answer) {
        reply(to: request, answer)
        guard request.isChange else { return }
        let account = request.sender.account
        dispatch(.account(account, .decided(request, answer)), to: .account(account))
    }

    /// What became of a batch, for the homes that live here: each is told once. A home that is read anew because of it
    /// has nothing left in the batch, so none of it reaches its new turns, which have other numbers.
    func commitDecided(_ outcome: CommitOutcome) {
        for fate in outcome.fates(ofLoop: index) { homes[fate.home]?.receive(fate) }
    }

    /// Asks the store for a home that lives here, and goes on in the home that has this address when it answers: the
    /// one that asked may have slept meanwhile.
    func ask(_ query: Query, _ request: Request, for home: HomeAddress) {
        context.store.read([query]) { [self] result in
            let rows = try? result.get().first
            post { $0.home(home).receive(HomeTask.resume(request, rows: rows)) }
        }
    }

    /// As above, for what a home asks for itself.
    func ask(_ query: Query, _ inquiry: any HomeInquiry, for home: HomeAddress) {
        context.store.read([query]) { [self] result in
            let rows = try? result.get().first
            post { $0.home(home).receive(HomeTask.learn(inquiry, rows: rows)) }
        }
    }
}
