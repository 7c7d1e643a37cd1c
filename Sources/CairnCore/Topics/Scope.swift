internal import CairnText
public import CairnWire

/// Who may see an instance (VIS-5, SUB-9): everyone, or the members of one group.
///
/// A scope is a right: a connection follows a topic only while its account holds the topic's scope
/// (`Session.scopes`), and everyone holds `everyone`.
public struct Scope: Hashable, Sendable {
    /// The sort of group, named by one lower-case ASCII letter on the wire.
    public struct Kind: Hashable, Sendable {
        /// The letter; 0 = everyone, which has no letter.
        public let letter: UInt8

        /// - Precondition: `letter` is one of a to z.
        public init(_ letter: Unicode.Scalar) {
            precondition(("a"..."z").contains(letter), "a kind of scope is a lower-case letter")
            self.letter = UInt8(letter.value)
        }

        fileprivate static let everyone = Kind(letter: 0)

        fileprivate init(letter: UInt8) { self.letter = letter }
    }

    public let kind: Kind
    /// Number of the group; 0 for everyone.
    public let id: UInt64

    public init<Tag>(_ kind: Kind, _ id: Identifier<Tag>) {
        self.init(kind: kind, id: id.rawValue)
    }

    /// The scope with this letter and this number of the group; 0 and 0 = everyone.
    public init?(letter: UInt8, id: UInt64) {
        let isEveryone = letter == 0 && id == 0
        guard isEveryone || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return nil }
        self.init(kind: Kind(letter: letter), id: id)
    }

    init(kind: Kind, id: UInt64) {
        self.kind = kind
        self.id = id
    }

    public static let everyone = Scope(kind: .everyone, id: 0)

    /// The scope of no instance: the live view of whoever wants to see the people of a cell alone (PRF-7).
    public static let nothing = Scope(kind: Kind("n"), id: 0)

    /// What guests who look see of a cell (SES-14): the instances of everyone's scope, without those of people who have
    /// switched that off (PRF-5), and described more roughly. No account holds it and no instance is in it: a cell
    /// makes its topic of everyone's (`HomeCore.publishToGuests`).
    public static let guests = Scope(kind: Kind("v"), id: 0)

    /// The scope of one account. No feature grants it yet, because an owner finds the own instances without it.
    public static func owner(_ account: AccountID) -> Scope { Scope(Kind("o"), account) }

    /// The scope of the users of an organisation: for the topics of its tours' drafts (TRM-6). No account grants it:
    /// who acts for an organisation is asked of `OrganisationDirectory`, each time.
    public static func organisation(_ id: OrganisationID) -> Scope { Scope(organisation, id) }

    private static let organisation = Kind("g")

    /// The organisation whose users have this scope; nil for other scopes.
    public var organisation: OrganisationID? {
        kind == Self.organisation ? OrganisationID(rawValue: id) : nil
    }

    /// The scope of the members of a home: for the home's own topic, and for instances in cells that are visible to
    /// members only.
    public static func members(of home: HomeAddress) -> Scope {
        Scope(kind: Kind(letter: home.kind.letter), id: home.number)
    }

    /// Of a person who is absent for the holder (FRD-7): it gives no right to a topic, and takes the person's instances
    /// and the person out of all of the holder's.
    public static func absence(of account: AccountID) -> Scope { Scope(absence, account) }

    private static let absence = Kind("b")

    /// The person who is absent for the holder; nil for other scopes.
    public var absentee: AccountID? { kind == Self.absence ? AccountID(rawValue: id) : nil }

    /// The home whose members have this scope; nil for other scopes.
    public var home: HomeAddress? {
        HomeKind.allCases.first { $0.letter == kind.letter }.flatMap { HomeAddress($0, number: id) }
    }

    /// Whether a person selects it as the view of cells: everyone's, or a sub-realm's (VIS-5). A connection follows one
    /// such topic of each cell in view, and gets the people of the cell by it.
    public var isView: Bool {
        self == .everyone || self == .nothing || kind.letter == HomeKind.realm.letter
    }

    /// Whether a connection follows it in each cell in view beside its selection.
    public var isOverlay: Bool { !isView && self != .guests && absentee == nil && space == nil }

    /// The space whose members have this scope; nil for other scopes. A person who holds it is in the space and nowhere
    /// else (SES-13).
    public var space: SpaceID? { kind.letter == HomeKind.space.letter ? SpaceID(rawValue: id) : nil }

    /// The form in the name of a topic: the kind's letter and the group's identifier. Empty for everyone.
    public var name: String {
        self == .everyone ? "" : String(UnicodeScalar(kind.letter)) + Identifier<Scope>(rawValue: id).description
    }

    /// Parses `name`; nil for any text that `name` does not produce.
    public init?(name: some StringProtocol) {
        guard let letter = name.utf8.first else {
            self = .everyone
            return
        }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
        guard isLetter, let id = Identifier<Scope>(String(name.dropFirst())) else { return nil }
        self.init(kind: Kind(letter: letter), id: id.rawValue)
    }
}

/// The scopes in which one instance is seen. The instance is one record with one version, however many topics publish
/// it.
public struct Audience: Hashable, Sendable {
    /// At least one, each once.
    public let scopes: [Scope]

    public static let everyone = Audience(.everyone, [])

    /// Only the owner.
    public static func owner(_ account: AccountID) -> Audience { Audience(.owner(account)) }

    /// - Parameter others: further scopes; duplicates count once.
    public init(_ scope: Scope, _ others: [Scope] = []) {
        var scopes = [scope]
        for other in others where !scopes.contains(other) { scopes.append(other) }
        self.scopes = scopes
    }

    /// The names of the scopes, for storage; `init(names:)` reads them.
    public var names: String { scopes.map(\.name).joined(separator: " ") }

    /// Parses `names`; nil for a text that is none.
    public init?(names: String) {
        let scopes = names.pieces(at: " ").map { Scope(name: $0) }
        guard let first = scopes.first ?? nil, !scopes.contains(nil) else { return nil }
        self.init(first, scopes.dropFirst().compactMap { $0 })
    }

    /// Whether the holder of these rights sees the instance. Everyone's scope needs no right.
    public func isSeen(by rights: Set<Scope>) -> Bool {
        scopes.contains { $0 == .everyone || rights.contains($0) }
    }
}
