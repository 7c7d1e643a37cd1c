public import CairnWire
internal import Synchronization

/// What all homes of a node look up in memory: the present names of people, open sub-realms, organisations and tours,
/// who may see what of a person, contents that never change, and what people have tried. A name is looked up where it
/// is shown and stored nowhere else.
public final class NameDirectory: Sendable {
    public let people: NameIndex<AccountTag>
    /// Open sub-realms alone: others are not found by name (SUB-12).
    public let openRealms = NameIndex<RealmTag>()
    /// Organisations that are not suspended, and who acts for them.
    public let organisations = OrganisationDirectory()
    /// Published tours.
    public let tours = TourDirectory()
    /// Contents that many homes have read, each held once.
    public let contents = SharedContents()
    /// Codes of groups that people have tried in the last hour.
    public let triedCodes = Tries(within: Quota.Span.hour.length)
    /// Of people who have not chosen.
    private let initialPrivacy: Privacy
    /// Whether people can have friends.
    private let hasFriends: Bool
    /// People who are not in the world (ROL-4).
    private let admins = Mutex<Set<AccountID>>([])
    /// Of people who have chosen something else.
    private let chosen = Mutex<[AccountID: Privacy]>([:])

    /// People whose public instances guests do not see (PRF-5).
    private let hiddenFromGuests = Mutex<Set<AccountID>>([])

    /// Empty.
    /// - Parameters:
    ///   - fold: the form by which names of people are compared.
    ///   - privacy: of people who have not chosen.
    ///   - hasFriends: whether friends are switched on; false = what is shown to friends is hidden from everybody.
    public init(
        foldingNames fold: @escaping @Sendable (String) -> String = { $0.lowercased() },
        privacy: Privacy = Privacy(.friends), hasFriends: Bool = true
    ) {
        people = NameIndex(folding: fold)
        initialPrivacy = privacy
        self.hasFriends = hasFriends
    }

    /// Notes an organisation. The tours of one that is suspended are withdrawn, and come back with it.
    /// - Parameter name: nil = it is suspended.
    public func set(_ organisation: OrganisationID, to name: String?) {
        organisations.set(organisation, to: name)
        tours.set(name == nil ? .suspended : nil, of: organisation)
    }

    /// Notes an organisation whose row is damaged. No user can act for it, and its tours are not offered.
    public func setUnreadable(_ organisation: OrganisationID) {
        organisations.set(organisation, to: nil)
        tours.set(.unreadable, of: organisation)
    }

    /// Whether a person is an admin. Admins are not among the people: searches, profiles, friend requests and
    /// invitations treat an admin as an account that does not exist (ROL-4).
    public func isAdmin(_ account: AccountID) -> Bool { admins.withLock { $0.contains(account) } }

    /// Notes the role of a person.
    public func set(_ role: Role, of account: AccountID) {
        admins.withLock { admins in
            if role == .admin { admins.insert(account) } else { admins.remove(account) }
        }
    }

    /// Who may see what of a person.
    public func privacy(of account: AccountID) -> Privacy {
        let privacy = chosen.withLock { $0[account] } ?? initialPrivacy
        return hasFriends ? privacy : privacy.withoutFriends
    }

    /// Whether guests who look see what a person leaves in public (PRF-5).
    public func guestsSee(_ account: AccountID) -> Bool { hiddenFromGuests.withLock { !$0.contains(account) } }

    /// Notes whether guests see what a person leaves in public.
    public func setGuestsSee(_ isSeen: Bool, of account: AccountID) {
        hiddenFromGuests.withLock { hidden in
            if isSeen { hidden.remove(account) } else { hidden.insert(account) }
        }
    }

    /// Notes what a person has chosen; nil = nothing.
    public func set(_ privacy: Privacy?, of account: AccountID) {
        chosen.withLock { $0[account] = privacy == initialPrivacy ? nil : privacy }
    }
}
