public import CairnGeo
public import CairnTime
public import CairnWire

/// The sender of a request, as known when the request arrived.
public struct Sender: Hashable, Sendable {
    public let participant: Participant
    public let account: AccountID
    public let name: String
    /// The last accepted position (SES-5).
    public let position: GeoPoint?
    /// The cells that their view touches (VIS-1).
    public let view: CellSet
    /// Scopes beyond everyone's that they hold. Instances of other scopes do not exist for them, nor do those of people
    /// whose absence is among them.
    public let scopes: Set<Scope>
    /// The place that others may learn: at the sender's accuracy, and the same as presence tells (PRF-8). Nil without a
    /// position.
    public let shownPlace: Coordinate?
    /// The language that they read (BCP 47): by their settings, else as their connection said; empty = not said. Texts
    /// that are there in several languages come in it (`WireTourText.words(in:)`).
    public let language: String

    public init(
        participant: Participant, account: AccountID, name: String, position: GeoPoint?, view: CellSet = [],
        scopes: Set<Scope> = [], shownPlace: Coordinate? = nil, language: String = ""
    ) {
        self.participant = participant
        self.account = account
        self.name = name
        self.position = position
        self.view = view
        self.scopes = scopes
        self.shownPlace = shownPlace
        self.language = language
    }

    /// Whether it is a guest who looks (SES-14): nobody, to whom nothing of anybody is shown.
    public var isGuest: Bool { account.isGuest }

    /// The space that they are in; nil = they are in the world.
    public var space: SpaceID? {
        for scope in scopes { if let space = scope.space { return space } }
        return nil
    }

    /// The people with a block between them and the sender (FRD-7).
    public var absentees: some Sequence<AccountID> { scopes.lazy.compactMap(\.absentee) }

    /// Whether what this audience sees of an owner exists for them.
    func sees(_ audience: Audience, of owner: AccountID) -> Bool {
        if owner == account { return true }
        return audience.isSeen(by: scopes) && (scopes.isEmpty || !scopes.contains(.absence(of: owner)))
    }

    /// The home that decides about an instance in a cell. In a cell out of view only the sender's own instances exist
    /// for the sender: the account looks up whether it is one (`Effect.hand`), and wakes no cell for others.
    public func home(lookingAt cell: CellID) -> HomeAddress {
        view.contains(cell) ? .cell(cell) : .account(account)
    }

    /// Checks that a cell is in view: instances in other cells do not exist for the sender (RCT-1, VIS-7). Called
    /// before a cell is woken.
    /// - Throws: `position_required` without a position, `not_found` for a cell out of view.
    public func checkView(of cell: CellID, component: String) throws(Refusal) {
        guard position != nil else {
            throw Refusal(.positionRequired, "send a position first", component: component)
        }
        guard view.contains(cell) else {
            throw Refusal(.notFound, "the cell is not in your view", component: component)
        }
    }
}

/// A client message with its sender.
///
/// A request passes from the connection to the account, the home, the turn that waits for the disk, and back. A copy
/// costs one reference.
public struct Request: Sendable {
    private let content: Content

    private final class Content: Sendable {
        let id: UInt32
        let key: String
        let command: any Command
        let payload: [UInt8]
        let sender: Sender
        let receivedAt: MonotonicTime
        let keyName: KeyName
        let digest: UInt64

        init(
            id: UInt32, key: String, command: any Command, payload: [UInt8], sender: Sender, receivedAt: MonotonicTime
        ) {
            self.id = id
            self.key = key
            self.command = command
            self.payload = payload
            self.sender = sender
            self.receivedAt = receivedAt
            // A question has no key, so its content is never compared.
            keyName = key.isEmpty ? KeyName.none : KeyName(key)
            digest = key.isEmpty ? 0 : Self.digest(of: payload, field: type(of: command).kind.field)
        }

        static func digest(of payload: [UInt8], field: UInt32) -> UInt64 {
            let prime: UInt64 = 0x0000_0100_0000_01B3
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            // The field's four bytes, the lowest first.
            for shift: UInt32 in [0, 8, 16, 24] { hash = (hash ^ UInt64(field >> shift & 0xFF)) &* prime }
            for byte in payload { hash = (hash ^ UInt64(byte)) &* prime }
            return hash
        }
    }

    public init(
        id: UInt32, key: String, command: any Command, payload: [UInt8], sender: Sender,
        receivedAt: MonotonicTime = .epoch
    ) {
        content = Content(
            id: id, key: key, command: command, payload: payload, sender: sender, receivedAt: receivedAt)
    }

    /// The same request, whose command has learned something since. What it has learned stays on this node: another one
    /// makes the command of the body again (decision 0018, Limits).
    public func with(_ command: any Command) -> Request {
        Request(
            id: id, key: key, command: command, payload: payload, sender: sender, receivedAt: receivedAt)
    }

    /// The client's id for the reply; 0 = the client wants no reply.
    public var id: UInt32 { content.id }
    /// Idempotency key; empty for requests that change nothing.
    public var key: String { content.key }
    /// The decoded body.
    public var command: any Command { content.command }
    /// The body as binary protobuf, from which `contentDigest` is computed.
    public var payload: [UInt8] { content.payload }
    public var sender: Sender { content.sender }
    /// Arrival. The latency of the answer is measured from here.
    public var receivedAt: MonotonicTime { content.receivedAt }
    /// Stands for the key within this process.
    var keyName: KeyName { content.keyName }

    public var kind: MessageKind { type(of: content.command).kind }

    /// Whether it asks for a change, which needs a key and a write.
    public var isChange: Bool { type(of: content.command).isChange }

    /// The home that decides: the command's, or the sender's space for what would change something on the ground.
    public func home(settings: Settings, register: FeatureRegister) throws(Refusal) -> HomeAddress {
        if let space = sender.space, register.changesGround(kind) { return .space(space) }
        return try content.command.home(for: sender, settings: settings)
    }

    /// FNV-1a over kind and body, the same in every process; 0 without a key. A key belongs to one account, so a
    /// collision gains an attacker nothing.
    public var contentDigest: UInt64 { content.digest }

    /// The content of a success.
    public typealias Result = WireReply.OneOf_Result
}

/// The one answer to a request. A reply has room for every feature's results, so a copy is one reference.
public indirect enum Answer: Sendable {
    /// The success of a change is stored with the change: a retry with the same key gets it again.
    case success(Request.Result)
    /// A success that has changed nothing and that every retry gets again, whatever happens in between. It is not
    /// stored, so it costs no write; a retry is decided again.
    case unchanged(Request.Result)
    case refusal(Refusal)
}
