internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// A message about who a connection's person is: it signs up or in, changes what signs in, or what the person has
/// beside their homes, such as settings and assets (ACC-1 to ACC-11, PRF-2, OBJ-12).
///
/// It belongs to the session and not to a home, because a guest has no home. It runs off the loops: it hashes, waits
/// for the disk and for outside services. `lane` says what else of the connection is done meanwhile.
/// `EntranceRegister` names all of them.
protocol EntranceCommand: Sendable {
    /// The generated message.
    associatedtype Body: RequestBody
    static var sender: EntranceSender { get }
    /// Whether a success signs the connection in.
    static var signsIn: Bool { get }
    static var lane: EntranceLane { get }
    /// Whether the person's connections go by what it changes, and so learn of such changes in their order.
    static var isOrdered: Bool { get }

    /// Checks that need the body alone.
    init(_ body: Body) throws(Refusal)

    /// Carries the command out. All changes are on disk when it returns.
    /// - Throws: a `Refusal`; or an error of the store, after which nothing has changed.
    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome
}

extension EntranceCommand {
    static var signsIn: Bool { false }
    static var lane: EntranceLane { .session }
    static var isOrdered: Bool { false }

    static var kind: MessageKind { Body.kind }

    static func decode(_ payload: [UInt8]) throws(Refusal) -> Self {
        try Self(try WireBody.decode(Body.self, from: payload))
    }
}

/// Decides what else of a connection is done while a command runs. A connection has at most one command of each lane
/// under way.
enum EntranceLane: Sendable {
    /// Nothing: the connection is not read.
    case session
    /// Everything. The answer waits until the connection and its account have half of their bytes at once again, so
    /// that a client that sends much, one message after the other, keeps within its limit and has room for other
    /// messages.
    case bulk
}

/// The connections that may send a command.
enum EntranceSender: Sendable {
    case guest
    /// Every connection after hello.
    case anyone
    case user
    /// Every signed-in connection, and guests who may look (SES-14).
    case onlooker
    /// Every signed-in role but admin. Admins have the admin functions alone (ROL-4).
    case inWorld
    /// Beside their own sign-in, what admins alone may send (ROL-4).
    case admin
}

/// The sender of a command: person, connection and address.
struct Applicant: Sendable {
    struct User: Sendable {
        let participant: Participant
        let account: AccountID
        let name: String
        let token: TokenName
        /// By which the row of the token is found; nil = an app's backend vouches for the person, and names them.
        let storedPrint: SQLValue?
        /// The people with a block between them and the person.
        var absent: Set<AccountID> = []

        var isOfApp: Bool { storedPrint == nil }
    }

    /// Nil = a guest.
    let user: User?
    /// A guest who may look: an account of nobody (`AccountID.guest`).
    var guest: AccountID?
    /// Nil = a proxy does not say.
    let address: PeerAddress?
    let frontEnd: FrontEnd
    /// As hello said it, BCP 47.
    let language: String
    /// The idempotency key of the message; empty = it has none.
    let key: String
    /// What an ID token of this connection has to carry; empty = no nonce was asked for.
    let nonce: String
    let now: MonotonicTime
    /// When the person proved on this connection that it is them: by signing in, or by `prove`; nil = a token alone
    /// has signed in (ACC-13).
    var proved: MonotonicTime?
    /// Why an account may not be signed in to once more now; nil = it may (SES-12). Asked when the person is proved,
    /// before anything is written.
    var refusalByPace: @Sendable (AccountID) -> Refusal? = { _ in nil }
    /// All shards, whose connections learn of changes of others' accounts.
    let shards: [Shard]

    /// Of a command whose `sender` is `user` or `admin`.
    func requireUser() throws(Refusal) -> User {
        guard let user else { throw Refusal(.notSignedIn, component: SignIn.component) }
        return user
    }
}

/// The outcome of a command.
enum EntranceOutcome: Sendable {
    case signedIn(SignIn.SignedIn)
    case answer(EntranceAnswer)
    /// An answer that the session has to remember: the nonce of the next ID token.
    case nonce(String)

    static let done = Self.answered(.done(WireDone()))

    static func answered(
        _ result: Request.Result, ending: SignInsEnded = .none, token: String? = nil, name: String? = nil,
        settings: [WireSetting] = []
    ) -> Self {
        .answer(EntranceAnswer(result: result, ending: ending, token: token, name: name, settings: settings))
    }
}

/// An answer, and what connections of the person have to know before it is sent.
struct EntranceAnswer: Sendable {
    let result: Request.Result
    /// Sign-ins that it has ended.
    var ending = SignInsEnded.none
    /// Takes the place of the connection's token; nil = it stays.
    var token: String?
    /// The person's new name; nil = it stays.
    var name: String?
    /// Settings that it has changed.
    var settings: [WireSetting] = []
    /// Accounts with other notifications, or another number of unread ones, than before.
    var notified: [AccountID] = []
    /// The number of the last notification that the device has acknowledged by it.
    var received: Int64?
    /// Whether the person has proved that it is them.
    var isProof = false
}

/// Sign-ins that a command has ended. Their connections are guests' before the command is answered.
enum SignInsEnded: Sendable {
    case none
    case devices(Set<TokenName>, of: AccountID)
    /// All but one connection: who has stolen the token of the device that asks is on another one.
    case all(of: AccountID, except: Participant?)
    /// All of an account that is no more, those by an app's token included.
    case account(AccountID)
}

/// All commands.
enum EntranceRegister {
    static let commands: [any EntranceCommand.Type] = [
        SignUp.self, SignInByPassword.self, SignInWithProvider.self, GetNonce.self, LinkProvider.self,
        UnlinkProvider.self, Prove.self, UndoChange.self, Recover.self, ResetPassword.self, VerifyEmail.self,
        ChangePassword.self, ChangeEmail.self,
        AddPassword.self, ListDevices.self, EndDevice.self, BeginCodes.self, ConfirmCodes.self, EndCodes.self,
        GetProfile.self, EditProfile.self, ReadProfile.self, FindUsers.self, SaveSettings.self, GetSettings.self,
        ListAccounts.self, SetRole.self, Suspend.self, Reinstate.self,
        ReceivedNotifications.self, MarkRead.self, ListNotifications.self, RegisterPush.self,
        BeginUpload.self, UploadChunk.self, GetAsset.self, GetPolicy.self, AgreePolicy.self,
        DeleteAccount.self, ExportAccount.self, GetHelp.self,
        RequestOrganisation.self, WithdrawOrganisationRequest.self, GetOrganisation.self, LeaveOrganisation.self,
        RemoveOrganisationMember.self, ListOrganisations.self, ListOrganisationRequests.self,
        GetOrganisationRequest.self, AcceptOrganisation.self, DenyOrganisation.self, SuspendOrganisation.self,
        ReinstateOrganisation.self, BuyTour.self, ListPurchases.self,
    ]

    /// Those by which a person who is signed in changes something and that no other limit counts: together they have
    /// one by account (`SignIn.Services.changes`).
    static let changes: [any EntranceCommand.Type] = [
        LinkProvider.self, UnlinkProvider.self, ChangePassword.self, ChangeEmail.self, AddPassword.self, EndDevice.self,
        BeginCodes.self, ConfirmCodes.self, EndCodes.self, EditProfile.self, SaveSettings.self, SetRole.self,
        Suspend.self, Reinstate.self, MarkRead.self, RegisterPush.self, AgreePolicy.self, RequestOrganisation.self,
        WithdrawOrganisationRequest.self, LeaveOrganisation.self, RemoveOrganisationMember.self,
        AcceptOrganisation.self, DenyOrganisation.self, SuspendOrganisation.self, ReinstateOrganisation.self,
        BuyTour.self,
    ]

    private static let changing = Set(changes.map { $0.kind.field })

    /// Whether the limit of changes counts a kind.
    static func isChange(_ kind: MessageKind) -> Bool { changing.contains(kind.field) }

    private static let byField = Dictionary(uniqueKeysWithValues: commands.map { ($0.kind.field, $0) })

    static func command(field: UInt32) -> (any EntranceCommand.Type)? { byField[field] }
}

extension SignIn {
    /// Carries a command out; what fails in the store becomes a refusal.
    func carryOut(
        _ command: any EntranceCommand, for applicant: Applicant
    ) async -> Result<EntranceOutcome, Refusal> {
        do {
            if EntranceRegister.isChange(type(of: command).kind) { try admitChange(by: applicant) }
            return .success(try await command.run(for: applicant, by: self))
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch let damage as DamagedRow {
            store.report([damage])
            return .failure(Self.damaged)
        } catch {
            logger.error("an account cannot be read or written", metadata: ["cause": "\(error)"])
            return .failure(Self.unavailable)
        }
    }
}
