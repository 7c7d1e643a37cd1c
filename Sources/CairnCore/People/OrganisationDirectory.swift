public import CairnWire
internal import Synchronization

/// The organisation that each person acts for at present, and the names of organisations, in memory (ROL-3). A
/// suspended organisation has no name here: no person acts for it, and nothing of it is shown.
///
/// Changed when a change is on disk, before anybody is told of it. Usable from any thread.
public final class OrganisationDirectory: Sendable {
    private struct State {
        var names: [OrganisationID: String] = [:]
        var members: [AccountID: OrganisationID] = [:]
    }

    private let state = Mutex(State())

    /// The name; nil = there is no such organisation, or it is suspended.
    public func name(of id: OrganisationID) -> String? { state.withLock { $0.names[id] } }

    /// The organisation for which a person acts; nil = none.
    public func organisation(of account: AccountID) -> OrganisationID? {
        state.withLock { state in
            state.members[account].flatMap { state.names[$0] == nil ? nil : $0 }
        }
    }

    /// Notes an organisation.
    /// - Parameter name: nil = it is suspended.
    public func set(_ id: OrganisationID, to name: String?) { state.withLock { $0.names[id] = name } }

    /// Notes to which organisation a person belongs; nil = to none.
    public func set(_ id: OrganisationID?, of account: AccountID) { state.withLock { $0.members[account] = id } }
}
