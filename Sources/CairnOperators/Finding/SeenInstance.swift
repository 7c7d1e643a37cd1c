internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWire

/// An instance as it is stored.
enum StoredInstance: Sendable {
    case sound(ObjectRecord)
    /// Its row is damaged, and its cell leaves it out.
    case damaged(kind: String)

    /// Reads the row of an instance in whichever cell; nil = there is none, or it has ended.
    static func read(_ id: InstanceID, in context: ServerContext) async throws -> StoredInstance? {
        let kinds = context.register.withdrawals
        let answers = try await context.store.read(kinds.map { $0.whereabouts(id, context.clock.lasting) })
        for (kind, rows) in zip(kinds, answers) {
            guard let row = rows.first else { continue }
            do throws(DamagedRow) {
                return .sound(try kind.record(row))
            } catch {
                context.store.report([error])
                return .damaged(kind: kind.kind.name.text)
            }
        }
        return nil
    }
}

/// An instance as operators see it. Of one that was never for everyone they see neither text nor place: no more than
/// its cell, its owner and since when it is there.
struct SeenInstance: Sendable {
    let id: InstanceID
    let kind: String
    let what: String
    let owner: AccountID
    let cell: CellID
    /// Nil = it is not for everyone.
    let text: String?
    let place: Coordinate?
    /// `everyone`, `owner`, or `realms`.
    let audience: String
    /// The sub-realms that see it.
    let realms: [RealmID]
    let created: Int64
    let version: UInt32
    /// By today's clock; nil = never.
    let ends: WallTime?
    let dataBytes: Int

    /// Bytes of a text in a list or a title.
    static let briefBytes = 120

    init(_ record: ObjectRecord, _ context: ServerContext) {
        let scopes = record.audience.scopes
        let isPublic = scopes.contains(.everyone)
        (id, kind, owner) = (record.id, record.kind.name.text, record.owner)
        cell = CellID(record.coordinate, level: context.configuration.cells.level)
        what = record.wire.object
        text = isPublic ? record.wire.text : nil
        place = isPublic ? record.coordinate : nil
        realms = scopes.compactMap { scope in
            if case .realm(let realm)? = scope.home { realm } else { nil }
        }
        audience = isPublic ? "everyone" : realms.isEmpty ? "owner" : "realms"
        (created, version) = (record.wire.created, record.wire.version)
        let clock = context.clock
        ends = record.ends.map { clock.now + ($0 - clock.lasting) }
        dataBytes = isPublic ? record.wire.dataBytes.count : 0
    }

    /// What it is, in a few words.
    var title: String {
        let text = (text ?? "").shortened(toBytes: Self.briefBytes)
        return [what, text].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension JSONLine {
    /// The members of an instance in a list.
    /// - Parameter showsPlace: false in a list of one person's: the places of many tell where they go.
    mutating func members(
        of instance: SeenInstance, _ identifiers: IdentifierIssuer, isBrief: Bool, showsPlace: Bool = true
    ) {
        member("thing", identifiers.name(of: instance.id))
        member("kind", instance.kind)
        member("what", instance.what)
        if let text = instance.text {
            member("text", isBrief ? text.shortened(toBytes: SeenInstance.briefBytes) : text)
        } else {
            null("text")
        }
        member("owner", identifiers.name(of: instance.owner))
        member("cell", instance.cell.token)
        if let place = instance.place, showsPlace {
            array("at") { line in
                line.element(degrees: place.longitude)
                line.element(degrees: place.latitude)
            }
        } else {
            null("at")
        }
        member("audience", instance.audience)
        if !instance.realms.isEmpty { list("realms", instance.realms.map { identifiers.name(of: $0) }) }
        member("created", Int(instance.created))
        if let ends = instance.ends { member("ends", Int(ends.milliseconds)) } else { null("ends") }
        member("version", Int(instance.version))
        guard !isBrief else { return }
        member("dataBytes", instance.dataBytes)
    }
}
