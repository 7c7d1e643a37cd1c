package import CairnCore
internal import CairnWire

/// One space, such as a tour run, as operators see it (STA-2).
package struct SpaceRow: Sendable {
    /// Its name on the wire.
    package let space: String
    /// Sessions with a position that are in the space.
    package var people = 0
    /// Connections that follow its topic.
    package var subscribers = 0
    /// Turns whose changes are not on disk yet.
    var unsaved = 0
    /// Pieces of work that wait for the space to wake.
    var waiting = 0

    package init(space: String) { self.space = space }

    /// Adds what another loop knows of the same space.
    package mutating func add(_ other: SpaceRow) {
        people += other.people
        subscribers += other.subscribers
        unsaved += other.unsaved
        waiting += other.waiting
    }
}

/// The figures of one space.
extension SpaceRow {
    fileprivate typealias Row = Metric<SpaceRow>

    package static let metrics: [Metric<SpaceRow>] = [
        Row("space", in: .space, unit: "id", "names the space: the id of a run or a group") { .text($0.space) },
        Row(
            "people", in: .space, unit: "sessions",
            "users with a position who are in the space; all spaces' add up to inSpaces of people"
        ) { .level($0.people) },
        Row("subscribers", in: .space, unit: "connections", "connections that follow it") { .level($0.subscribers) },
        Row("unsaved", in: .space, unit: "turns", "turns whose changes are not on disk yet") { .level($0.unsaved) },
        Row("waiting", in: .space, unit: "pieces of work", "pieces of work that wait for the space to wake") {
            .level($0.waiting)
        },
    ]
}

extension Shard {
    /// What this loop knows of spaces: those that live here, and who of its sessions is in which.
    package func spaceRows() -> [SpaceRow] {
        var rows: [SpaceID: SpaceRow] = [:]
        for space in homes.spaces {
            var row = SpaceRow(space: context.identifiers.name(of: space.id))
            (row.subscribers, row.unsaved, row.waiting) = space.assumeIsolated { space in
                let followers = space.host.followers(of: .members(of: space.address))
                return (followers?.count ?? 0, space.host.core.value.heldTurns, space.host.queue.count)
            }
            rows[space.id] = row
        }
        let cut = detached.values.filter(\.state.isPresent).map(\.state.boards)
        for case let id? in (sessions.compactMap { $0?.boards } + cut).map(\.space) {
            rows[id, default: SpaceRow(space: context.identifiers.name(of: id))].people += 1
        }
        return Array(rows.values)
    }
}
