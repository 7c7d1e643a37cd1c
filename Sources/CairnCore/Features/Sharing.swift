public import CairnGeo
internal import CairnText
public import CairnWire

/// How instances of one kind are shared in scopes other than everyone's. A feature registers it for its kind, beside
/// its `Withdrawal`.
public struct Sharing: Sendable {
    /// The kind of the instances.
    public let kind: ObjectKind
    /// Query for a page of the rows of instances that are shared in a scope, in the order of their ids.
    let instances: @Sendable (_ scope: Scope, _ after: InstanceID) -> Query
    /// Reads such a row: the instance, and its cell at this level of cells; nil = the row is damaged.
    let place: @Sendable (_ row: Row, _ level: Int) -> SharedInstance?
    /// Stores that an instance is no longer shared in a scope. Its record has the scopes that remain.
    let end: @Sendable (_ record: ObjectRecord, _ scope: Scope, _ home: HomeAddress) -> [Statement]

    public init(
        of kind: ObjectKind, instances: @escaping @Sendable (_ scope: Scope, _ after: InstanceID) -> Query,
        place: @escaping @Sendable (_ row: Row, _ level: Int) -> SharedInstance?,
        end: @escaping @Sendable (_ record: ObjectRecord, _ scope: Scope, _ home: HomeAddress) -> [Statement]
    ) {
        self.kind = kind
        self.instances = instances
        self.place = place
        self.end = end
    }
}

/// An instance that is shared in a scope, and where it is.
public struct SharedInstance: Hashable, Sendable {
    public let id: InstanceID
    /// Nil = its place cannot be read.
    public let cell: CellID?

    public init(id: InstanceID, cell: CellID?) {
        self.id = id
        self.cell = cell
    }
}

extension Turn {
    /// Query for a page of the instances that are shared in a scope; `sharedInstances(_:)` reads the rows.
    public func sharedInstances(in scope: Scope, after: InstanceID) -> Query {
        guard let sharing = register.sharing else { preconditionFailure("no feature shares instances") }
        return sharing.instances(scope, after)
    }

    /// Reads the rows of such a page.
    public func sharedInstances(_ rows: [Row]) -> [SharedInstance] {
        rows.compactMap { register.sharing?.place($0, settings.cellLevel) }
    }

    /// Takes an instance of this home out of a scope. It stays where else it is shared; an instance that is shared
    /// nowhere else is removed.
    public mutating func unshare(_ record: ObjectRecord, from scope: Scope) -> [Effect] {
        let others = record.audience.scopes.filter { $0 != scope }
        guard let first = others.first else {
            let deletion = register.withdrawals.first { $0.kind == record.kind }?.deletion(record.id)
            objects[record.id] = nil
            return [deletion.map { .write($0) }, .publish(.departure(of: record))].compactMap { $0 }
        }
        var left = record
        left.audience = Audience(scope)
        var record = record
        record.audience = Audience(first, Array(others.dropFirst()))
        objects[record.id] = record
        let statements = register.sharing?.end(record, scope, home) ?? []
        return statements.map { .write($0) } + [.publish(.departure(of: left))]
    }
}

/// A scope has ended: instances of a cell are no longer shared in it. Instances that are not here, or not shared in it,
/// are passed over: the sender looks again and asks again.
public struct ScopeEnded: HomeMessage {
    public static let kind: StaticText = "scope.ended"

    let scope: Scope
    let instances: [InstanceID]

    public init(scope: Scope, instances: [InstanceID]) {
        self.scope = scope
        self.instances = instances
    }

    public func heard(in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        for id in instances {
            guard let record = turn.objects[id], !record.isMoving, record.audience.scopes.contains(scope) else {
                continue
            }
            effects += turn.unshare(record, from: scope)
        }
        return effects
    }

    public var payload: [UInt8] { Array(([scope.name] + instances.map(\.description)).joined(separator: " ").utf8) }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let words = String(decoding: payload, as: UTF8.self).pieces(at: " ")
        let instances = words.dropFirst().compactMap { InstanceID(String($0)) }
        guard let scope = words.first.flatMap({ Scope(name: $0) }), instances.count == words.count - 1 else {
            throw ColumnFault(0, .unreadable)
        }
        self.init(scope: scope, instances: instances)
    }
}
