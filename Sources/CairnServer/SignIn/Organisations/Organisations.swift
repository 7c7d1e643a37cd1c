internal import CairnCore
internal import CairnStore
package import CairnWire
internal import Synchronization

/// The organisations and their members, on disk and in memory, so that a welcome, a list and the comparison of names
/// need no read. They are few: each member is an admin's decision.
///
/// Memory notes what is on disk, within the turn of `AccountTurns` that has written it.
package final class Organisations: Sendable {
    private struct State {
        var organisations: [OrganisationID: Organisation] = [:]
        var members: [AccountID: OrganisationMember] = [:]
        var counts: [OrganisationID: Int] = [:]
        /// By compared form and by skeleton of the name.
        var names: [String: OrganisationID] = [:]
        var skeletons: [String: OrganisationID] = [:]
        var figures = OrganisationFigures()
        var counted: UInt64 = 0
        var counting: UInt64 = 0

        mutating func add(_ organisation: Organisation) {
            organisations[organisation.id] = organisation
            names[organisation.name.compared] = organisation.id
            for skeleton in organisation.name.skeletons { skeletons[skeleton] = skeletons[skeleton] ?? organisation.id }
            figures.organisations = organisations.count
        }

        mutating func set(_ member: OrganisationMember?, of account: AccountID) {
            if let before = members[account] { counts[before.organisation, default: 1] -= 1 }
            members[account] = member
            if let member { counts[member.organisation, default: 0] += 1 }
            figures.members = members.count
        }
    }

    private let state: Mutex<State>
    /// What homes and loops know of it.
    private let names: NameDirectory

    /// Reads what there is. A damaged organisation and its members are left out, and told to the operators.
    init(store: Store, names: NameDirectory) async throws {
        self.names = names
        let answers = try await store.read([
            Organisation.all, OrganisationMember.all, OrganisationRequestRecord.openCount,
        ])
        var state = State()
        for row in answers[0] {
            do throws(DamagedRow) {
                state.add(try Organisation(row))
            } catch {
                store.report([error])
                // It may be suspended.
                guard let id = try? row.integer(0) else { continue }
                names.setUnreadable(OrganisationID(rawValue: UInt64(bitPattern: id)))
            }
        }
        for row in answers[1] {
            do throws(DamagedRow) {
                let member = try OrganisationMember(row)
                guard state.organisations[member.organisation] != nil else { continue }
                state.set(member, of: member.account)
            } catch {
                store.report([error])
            }
        }
        state.figures.openRequests = Int((try? answers[2].first?.integer(0)) ?? 0)
        for organisation in state.organisations.values { Self.tell(organisation, to: names) }
        for member in state.members.values { names.organisations.set(member.organisation, of: member.account) }
        self.state = Mutex(state)
    }

    package subscript(id: OrganisationID) -> Organisation? { state.withLock { $0.organisations[id] } }

    /// The account's membership; nil = it belongs to none.
    package func membership(of account: AccountID) -> OrganisationMember? { state.withLock { $0.members[account] } }

    /// The organisation that an account belongs to.
    package func organisation(of account: AccountID) -> Organisation? {
        state.withLock { state in state.members[account].flatMap { state.organisations[$0.organisation] } }
    }

    /// Members of an organisation, the longest-standing first.
    package func members(of id: OrganisationID) -> [OrganisationMember] {
        state.withLock { $0.members.values.filter { $0.organisation == id } }
            .sorted { ($0.since, $0.account.rawValue) < ($1.since, $1.account.rawValue) }
    }

    func memberCount(of id: OrganisationID) -> Int { state.withLock { $0.counts[id] ?? 0 } }

    /// All behind an id, in the order in which they were made.
    package func all(after id: OrganisationID? = nil) -> [Organisation] {
        let first = id?.rawValue ?? 0
        return state.withLock { $0.organisations.values.filter { $0.id.rawValue > first } }
            .sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Whose a name is.
    enum Holder {
        case same(Organisation)
        /// An organisation with another name that looks like it.
        case alike(Organisation)
        case none
    }

    func holder(of name: OrganisationName) -> Holder {
        state.withLock { state in
            if let known = state.names[name.compared].flatMap({ state.organisations[$0] }) { return .same(known) }
            for skeleton in name.skeletons {
                if let known = state.skeletons[skeleton].flatMap({ state.organisations[$0] }) { return .alike(known) }
            }
            return .none
        }
    }

    // MARK: Noting what is on disk

    func note(_ organisation: Organisation) {
        state.withLock { $0.add(organisation) }
        Self.tell(organisation, to: names)
    }

    private static func tell(_ organisation: Organisation, to names: NameDirectory) {
        names.set(organisation.id, to: organisation.suspension == nil ? organisation.name.text : nil)
    }

    func note(_ member: OrganisationMember) {
        state.withLock { $0.set(member, of: member.account) }
        names.organisations.set(member.organisation, of: member.account)
    }

    /// The account belongs to no organisation any more.
    func forget(_ account: AccountID) {
        state.withLock { $0.set(nil, of: account) }
        names.organisations.set(nil, of: account)
    }

    func count(_ event: OrganisationFigures.Event) { state.withLock { $0.figures.count(event) } }

    package var figures: OrganisationFigures { state.withLock { $0.figures } }

    /// Counts the open requests on disk. Of counts at the same time the one that began last stands.
    func recount(in store: Store) async {
        let turn = state.withLock { state in
            state.counting += 1
            return state.counting
        }
        guard let row = try? await store.read([OrganisationRequestRecord.openCount])[0].first,
            let count = try? row.integer(0)
        else { return }
        state.withLock { state in
            guard turn > state.counted else { return }
            (state.counted, state.figures.openRequests) = (turn, Int(count))
        }
    }
}
