public import CairnWire

/// A client message that a feature answers, decoded once.
///
/// Declare a `Change` or a `Question`, one file each, and name its type in `Feature.commands`. The session decodes the
/// body right after the envelope; from then on the value travels with its `Request`.
public protocol Command: Sendable {
    /// The generated message.
    associatedtype Body: WireMessage
    /// The body's place in the envelope. Two commands that claim one kind trap at start.
    static var kind: MessageKind { get }
    /// Whether it needs an idempotency key and the disk (SYN-2).
    static var isChange: Bool { get }

    /// Takes a body; checks that need nothing else stand here.
    ///
    /// They hold for as long as a key is known: a retry must get the first answer, so what settings forbid is refused
    /// by `home(for:settings:)`, which a stored reply does not ask.
    init(_ body: Body) throws(Refusal)

    /// The home that decides. Checks that need the sender or the settings stand here: no home is woken for what they
    /// refuse. Asked once for each request.
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress

    /// Decides: effects, or a refusal that has changed nothing. Called where `home` said, or where `Effect.hand` did.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect]

    /// Goes on when the store has answered `Effect.ask`; much may have happened to the home meanwhile.
    /// - Parameter rows: the answer to the query.
    func resume(_ request: Request, rows: [Row], in turn: inout Turn) throws(Refusal) -> [Effect]

    /// A success without what the message said already: an answer is kept for as long as its key, a day.
    static func shortened(_ result: Request.Result) -> Request.Result
    /// The success that `shortened` was given, bit for bit, when this message has the same content as the first one.
    /// One that was kept whole stays as it is.
    func completed(_ result: Request.Result) -> Request.Result
    /// The sender's own instance that a success has brought into a cell, nil = none: events do not tell whose it is, so
    /// the account's other devices are told apart.
    func broughtIn(by result: Request.Result) -> WireInstance?
}

extension Command {
    public func resume(_ request: Request, rows: [Row], in turn: inout Turn) throws(Refusal) -> [Effect] { [] }
    public static func shortened(_ result: Request.Result) -> Request.Result { result }
    public func completed(_ result: Request.Result) -> Request.Result { result }
    public func broughtIn(by result: Request.Result) -> WireInstance? { nil }
}

/// A command that changes something: it needs an idempotency key and passes its sender's account.
public protocol Change: Command {}

extension Change {
    public static var isChange: Bool { true }
}

/// A command that changes nothing: it is answered from what is kept, and need not wait for the disk.
public protocol Question: Command {}

extension Question {
    public static var isChange: Bool { false }
}
