public import CairnWire

/// A client message that a feature answers, decoded once.
///
/// Declare a `Change` or a `Question`, one file each, and name its type in `Feature.commands`. The session decodes the
/// body right after the envelope; from then on the value travels with its `Request`.
public protocol Command: Sendable {
    /// The generated message.
    associatedtype Body: WireMessage
    /// By default the kind of the body. Two commands that claim one kind trap at start.
    static var kind: MessageKind { get }
    /// Whether it needs an idempotency key and the disk (SYN-2).
    static var isChange: Bool { get }
    /// Roles whose accounts may send it; others are refused with `forbidden` before the body is decoded (ROL-1).
    static var senders: [Role] { get }

    /// Makes the command, with the checks that need the body alone.
    ///
    /// A retry passes these checks before its stored reply is looked up. So they must not depend on settings, which may
    /// have changed since: what settings forbid is refused by `home(for:settings:)`, which a retry does not reach.
    init(_ body: Body) throws(Refusal)

    /// The home that decides. Checks of the sender and of the settings belong here: a request that they refuse wakes no
    /// home. Called once for each request.
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress

    /// Decides: effects, or a refusal that has changed nothing. Called where `home` said, or where `Effect.hand` did.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect]

    /// Continues when the store has answered `Effect.ask`. The home may have changed since the request asked.
    /// - Parameter rows: the answers to the queries, in their order.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect]

    /// The success without the parts that the message already has. It is stored in this form for the key's lifetime of
    /// a day.
    static func shortened(_ result: Request.Result) -> Request.Result
    /// The inverse of `shortened`: the first success, bit for bit, from the stored form and a retry with the same
    /// content. A success that was stored whole is returned as it is.
    func completed(_ result: Request.Result) -> Request.Result
    /// The sender's own instance that the success has put into a cell; nil = none. Events do not say whose an instance
    /// is, so the account sends this to its other devices by a separate message.
    func broughtIn(by result: Request.Result) -> WireInstance?
}

extension Command where Body: RequestBody {
    public static var kind: MessageKind { Body.kind }
}

extension Command {
    public static var senders: [Role] { Role.inWorld }
    public func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] { [] }
    public static func shortened(_ result: Request.Result) -> Request.Result { result }
    public func completed(_ result: Request.Result) -> Request.Result { result }
    public func broughtIn(by result: Request.Result) -> WireInstance? { nil }
}

/// A command that changes something: it needs an idempotency key and passes its sender's account.
public protocol Change: Command {}

extension Change {
    public static var isChange: Bool { true }
}

/// A command that changes nothing: it is answered from state that is on disk, so the answer need not wait for a write.
public protocol Question: Command {}

extension Question {
    public static var isChange: Bool { false }
}
