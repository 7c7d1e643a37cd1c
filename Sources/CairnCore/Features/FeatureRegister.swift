public import CairnWire

/// Which features there are, and which of them answers what. Routing is a table; a double claim traps at start.
public struct FeatureRegister: Sendable {
    private let types: [any Feature.Type]
    private let allowanceTypes: [any Allowance.Type]
    private let byField: [UInt32: Route]
    private let byMessage: [ObjectIdentifier: Int]

    private struct Route: Sendable {
        let kind: MessageKind
        let feature: Int
        let isChange: Bool
    }

    public init(_ types: [any Feature.Type], allowances: [any Allowance.Type]) {
        self.types = types
        allowanceTypes = allowances
        var byField: [UInt32: Route] = [:]
        var byMessage: [ObjectIdentifier: Int] = [:]
        for (index, type) in types.enumerated() {
            for kind in type.changes + type.questions {
                let route = Route(kind: kind, feature: index, isChange: type.changes.contains(kind))
                let previous = byField.updateValue(route, forKey: kind.field)
                precondition(previous == nil, "two features claim \(kind.name)")
            }
            for message in type.hears {
                let previous = byMessage.updateValue(index, forKey: ObjectIdentifier(message))
                precondition(previous == nil, "two features hear \(message)")
            }
        }
        self.byField = byField
        self.byMessage = byMessage
    }

    /// The kind with this field number in the envelope, when some feature answers it.
    public func kind(field: UInt32) -> MessageKind? { byField[field]?.kind }

    /// All kinds that some feature answers.
    public var kinds: [MessageKind] { byField.values.map(\.kind) }

    /// Whether requests of this kind change something, and so need a key and the disk.
    public func isChange(_ kind: MessageKind) -> Bool { byField[kind.field]?.isChange ?? false }

    /// The home that decides about a request.
    public func home(for request: Request, rules: Rules) throws(Refusal) -> HomeAddress {
        guard let index = feature(for: request.kind) else { throw Refusal(.unknownType, component: "session") }
        return try types[index].home(for: request, rules: rules)
    }

    /// What is kept of a success, and makes it again together with a request of the same content.
    func shortened(_ result: Request.Result, of request: Request) -> Request.Result {
        feature(for: request.kind).map { types[$0].shortened(result) } ?? result
    }

    /// The whole of a success that was kept, as it was given to the first request of this content.
    func completed(_ result: Request.Result, from request: Request) -> Request.Result {
        feature(for: request.kind).map { types[$0].completed(result, from: request) } ?? result
    }

    /// The sender's own instance that a success has brought into a cell; nil = none.
    public func broughtIn(by result: Request.Result, of request: Request) -> WireInstance? {
        feature(for: request.kind).flatMap { types[$0].broughtIn(by: result, of: request) }
    }

    func feature(for kind: MessageKind) -> Int? { byField[kind.field]?.feature }
    func feature(hearing message: any HomeMessage) -> Int? { byMessage[ObjectIdentifier(type(of: message))] }
    func features(rules: Rules) -> [any Feature] { types.map { $0.init(rules: rules) } }

    /// The questions that wake a home, feature by feature.
    public func stored(in home: HomeAddress) -> [[Query]] { types.map { $0.stored(in: home) } }

    /// What anybody who sees an instance may do with it.
    public var openActions: [String] { types.flatMap { $0.openActions } }

    /// What features count for developers, in the order of the register (STA-4).
    public var counts: [StaticText] { types.flatMap { $0.counts } }

    public var migrations: [Migration] { types.flatMap { $0.migrations } }

    /// The tables of all features.
    public func tables(rules: Rules) -> [StoredTable] { types.flatMap { $0.tables(rules: rules) } }

    /// What age removes (DAT-10).
    public func expiries(now: Int64, rules: Rules) -> [Statement] {
        types.flatMap { $0.expiries(now: now, rules: rules) }
    }

    /// One allowance of each sort for an account that wakes, in the order in which `stored(for:now:)` asks.
    public func allowances(rules: Rules) -> [any Allowance] { allowanceTypes.map { $0.init(rules: rules) } }

    /// The questions that wake an account's allowances, one by one.
    public func stored(for account: AccountID, now: Int64) -> [[Query]] {
        allowanceTypes.map { $0.stored(for: account, now: now) }
    }
}
