internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnWire

/// The homes that a shard has in memory. Cells have a table of their own, because every position looks one up by id.
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

    func space(_ id: SpaceID) -> Space? { others[.space(id)] as? Space }

    /// Every space, in no order.
    var spaces: [Space] { others.values.compactMap { $0 as? Space } }

    /// The cells in view of a session, a guest's included, in which an account has instances, in no order.
    func watchedCells(holding account: AccountID) -> [CellID] {
        cells.values.filter { cell in
            cell.assumeIsolated { !$0.host.hasNoFollowers && $0.host.holds(thingsOf: account) }
        }
        .map(\.id)
    }

    /// Every cell, in no order.
    var allCells: some Collection<Cell> { cells.values }

    /// Every home, in no order.
    var all: [any Home] { Array(cells.values) + others.values }
}

/// Homes on this shard.
extension Shard {
    /// The home with this address, which must live on this shard; created if it is not in memory. This is the only
    /// place that maps a kind of home to its actor.
    func home(_ address: HomeAddress) -> any Home {
        switch address {
        case .cell(let id): cell(id)
        case .account(let id): account(id)
        case .realm(let id): homes[address] ?? begin(Realm(id: id, shard: self, context: context, now: now))
        case .space(let id): space(id)
        case .tour(let id): homes[address] ?? begin(Tour(id: id, shard: self, context: context, now: now))
        }
    }

    /// The cell with this id, which must live on this shard.
    func cell(_ id: CellID) -> Cell {
        homes.cell(id) ?? begin(Cell(id: id, shard: self, context: context, now: now))
    }

    /// The account with this id, which must live on this shard.
    func account(_ id: AccountID) -> Account {
        homes.account(id) ?? begin(Account(id: id, shard: self, context: context, now: now))
    }

    /// The space with this id, which must live on this shard.
    func space(_ id: SpaceID) -> Space {
        homes.space(id) ?? begin(Space(id: id, shard: self, context: context, now: now))
    }

    private func begin<Kind: Home>(_ home: Kind) -> Kind {
        homes[home.address] = home
        resting.append(home)
        home.assumeIsolated { $0.began() }
        return home
    }

    // MARK: Work

    /// Sends work to a home on any shard and wakes it if it sleeps (SES-10).
    func give(_ work: HomeWork, to address: HomeAddress) {
        dispatch(.home(address, work), to: address)
    }

    /// Sends a message to a home. It leaves this shard after the turn's events and answers to clients.
    func tell(_ address: HomeAddress, _ message: any HomeMessage) {
        dispatch(.home(address, .hear(message)), to: address, isLast: true)
    }

    /// Starts a client's request.
    /// - Parameter home: the home that answers; nil = the request is a change and passes its sender's account first,
    ///   which has keys and quotas.
    func begin(_ request: Request, at home: HomeAddress?) {
        if let home { return give(.arrive(request), to: home) }
        let account = request.sender.account
        dispatch(.account(account, .receive(request)), to: .account(account))
    }

    /// Sends a home's answer to the connection that asked. The answer to a change goes to the sender's account as well,
    /// at the same time: it updates keys and quotas and answers retries that wait with the same key.
    func answer(_ request: Request, _ answer: Answer) {
        reply(to: request, answer)
        guard request.isChange else { return }
        let account = request.sender.account
        dispatch(.account(account, .decided(request, answer)), to: .account(account))
    }

    /// The store has decided a batch: tells each home of this shard once. A home that is loaded again because of it has
    /// nothing left in the batch, so the outcome cannot reach its new turns, which have other numbers.
    func commitDecided(_ outcome: CommitOutcome) {
        for fate in outcome.fates(ofLoop: index) { homes[fate.home]?.receive(fate) }
    }

    /// Queries the store for a request of a home on this shard. The answer goes to the home that has the address then:
    /// the actor that asked may have slept meanwhile.
    func ask(_ queries: [Query], _ request: Request, for home: HomeAddress) {
        context.store.read(queries) { [self] result in
            let rows = try? result.get()
            post { $0.home(home).receive(HomeTask.resume(request, rows: rows)) }
        }
    }

    /// Reads an asset of the sender for a home, and makes of it what the request wants, on the lane of assets.
    func read(_ asset: AssetID, by reading: AssetReading, _ request: Request, for home: HomeAddress) {
        let signIn = context.signIn
        Task {
            let outcome = await signIn.examine(asset, of: request.sender.account, by: reading)
            self.post { shard in
                switch outcome {
                case .success(let rows): shard.home(home).receive(HomeTask.resume(request, rows: rows))
                case .failure(let refusal): shard.answer(request, .refusal(refusal))
                }
            }
        }
    }

    /// Queries the store for a home's own inquiry, likewise.
    func ask(_ query: Query, _ inquiry: any HomeInquiry, for home: HomeAddress) {
        context.store.read([query]) { [self] result in
            let rows = try? result.get().first
            post { $0.home(home).receive(HomeTask.learn(inquiry, rows: rows)) }
        }
    }
}
