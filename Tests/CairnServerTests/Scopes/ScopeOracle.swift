import CairnCore
import CairnWire
import Foundation
import Synchronization

/// Knows who may see what, and looks at every byte that every connection is sent (invariant 7).
///
/// It judges what it can read, and counts the texts of notes in the bytes: one that stands where it does not read, or
/// bytes that say nothing known, are leaks as well.
///
/// Time is a number that grows with each thing that happens. A right begins when its grant is asked for and ends when
/// its revocation is done; what a connection had been sent by then may still be under way to it, until an answer that
/// it asked for afterwards has come.
final class ScopeOracle: Sendable {
    /// What a connection was told that it may not know.
    struct Leak: Equatable, Sendable {
        let account: Int
        let connection: Int
        let scope: Scope
        let what: String
    }

    /// An account's right to a scope.
    private struct Right {
        var isHeld = false
        /// When the last revocation was done; 0 = there was none.
        var revokedAt: UInt64 = 0
        /// Connections that may still get what was sent before that.
        var unfenced: Set<Int> = []
    }

    private struct State {
        var now: UInt64 = 0
        var rights: [Int: [Scope: Right]] = [:]
        /// Audience and birth of each note, by its text and by its id.
        var notes: [String: (groups: [Scope], bornAt: UInt64)] = [:]
        var texts: [String: String] = [:]
        var leaks: [Leak] = []
        /// What happened to each account lately, and what had happened to one when something was first told to it that
        /// it may not know.
        var lately: [Int: [String]] = [:]
        var stories: [Int: [String]] = [:]
        var items = 0
        var scopedItems = 0
        var scopes: Set<Scope> = []

        /// Things of each account that are remembered.
        static let storyMax = 60

        mutating func note(_ what: String, of account: Int) {
            lately[account, default: []].append("\(ContinuousClock.now) \(what)")
            if let count = lately[account]?.count, count > Self.storyMax { lately[account]?.removeFirst() }
        }

        mutating func leaked(_ leak: Leak) {
            leaks.append(leak)
            note("leak to \(leak.connection): \(leak.what) of \(leak.scope)", of: leak.account)
            stories[leak.account] = stories[leak.account] ?? lately[leak.account]
        }
    }

    private let state = Mutex(State())

    /// Items seen, and those of them that were not for everyone.
    var counts: (items: Int, scoped: Int) { state.withLock { ($0.items, $0.scopedItems) } }
    /// Scopes of which something was seen.
    var scopes: Set<Scope> { state.withLock { $0.scopes } }
    var leaks: [Leak] { state.withLock { $0.leaks } }
    /// The first leaks, and what had happened to the account of the first one until then.
    var words: String {
        state.withLock { state in
            let story = state.leaks.first.flatMap { state.stories[$0.account] } ?? []
            return "\(state.leaks.prefix(5)), after:\n" + story.joined(separator: "\n")
        }
    }

    // MARK: What happens

    /// Something happened to an account or one of its connections.
    func notes(_ what: String, of account: Int) {
        state.withLock { $0.note(what, of: account) }
    }

    func grants(_ scope: Scope, to account: Int) {
        state.withLock {
            $0.now += 1
            $0.note("grant of \(scope)", of: account)
            $0.rights[account, default: [:]][scope, default: Right()].isHeld = true
        }
    }

    /// The revocation has been answered. `connections`: those of the account that are open.
    func revoked(_ scope: Scope, of account: Int, connections: Set<Int>) {
        state.withLock {
            $0.now += 1
            $0.note("end of \(scope), connections \(connections.sorted())", of: account)
            $0.rights[account]?[scope]?.isHeld = false
            $0.rights[account]?[scope]?.revokedAt = $0.now
            $0.rights[account]?[scope]?.unfenced = connections
        }
    }

    /// A connection has had an answer that it asked for after the revocation.
    func fenced(_ scope: Scope, of account: Int, connection: Int) {
        state.withLock {
            $0.note("answer to \(connection) after the end of \(scope)", of: account)
            $0.rights[account]?[scope]?.unfenced.remove(connection)
        }
    }

    /// A note with this text is about to be placed, or said to the members of a home.
    func places(_ text: String, for groups: [Scope]) {
        state.withLock {
            $0.now += 1
            $0.notes[text] = (groups, $0.now)
        }
    }

    /// A note has been placed under this id.
    func placed(_ text: String, as id: String) {
        state.withLock { $0.texts[id] = text }
    }

    // MARK: What is seen

    /// How the text of a note begins, and nothing else that is sent.
    static let mark = Data("note ".utf8)

    /// One message of the server, as bytes and as what they say.
    func saw(_ bytes: [UInt8], _ message: WireServerMessage, account: Int, connection: Int) {
        saw(message.items, account: account, connection: connection)
        let read = message.items.reduce(0) { count, item in
            count + Self.instances(of: item).count { !$0.text.isEmpty } + Self.answers(in: item)
        }
        let there = Self.marks(in: bytes)
        let isKnown = message.items.allSatisfy { $0.body != nil && $0.unknownFields == WireItem().unknownFields }
        guard read != there || !isKnown else { return }
        let what = "\(there) notes in the bytes, \(read) read, \(isKnown ? "nothing" : "something") unknown"
        state.withLock {
            $0.leaked(Leak(account: account, connection: connection, scope: .everyone, what: what))
        }
    }

    private static func marks(in bytes: [UInt8]) -> Int {
        let data = Data(bytes)
        var (count, rest) = (0, data.startIndex..<data.endIndex)
        while let found = data.range(of: mark, in: rest) {
            count += 1
            rest = found.upperBound..<data.endIndex
        }
        return count
    }

    func saw(_ items: [WireItem], account: Int, connection: Int) {
        state.withLock { state in
            for item in items {
                state.items += 1
                for topic in Self.topics(of: item) {
                    guard let scope = Topic(name: topic)?.scope else {
                        let what = "no topic: \(topic)"
                        state.leaked(Leak(account: account, connection: connection, scope: .everyone, what: what))
                        continue
                    }
                    if scope != .everyone { state.scopedItems += 1 }
                    state.scopes.insert(scope)
                    Self.check(scope, bornAt: 0, topic, account, connection, &state)
                }
                for instance in Self.instances(of: item) {
                    state.texts[instance.id] = instance.text
                    Self.check(note: instance.text, account, connection, &state)
                }
                for id in Self.ids(of: item) {
                    if let text = state.texts[id] { Self.check(note: text, account, connection, &state) }
                }
            }
        }
    }

    /// A note may be seen by a holder of one of its groups.
    private static func check(note text: String, _ account: Int, _ connection: Int, _ state: inout State) {
        guard let note = state.notes[text], !note.groups.isEmpty else { return }
        guard !note.groups.contains(where: { isAllowed($0, note.bornAt, account, connection, state) }) else { return }
        state.leaked(Leak(account: account, connection: connection, scope: note.groups[0], what: text))
    }

    private static func check(
        _ scope: Scope, bornAt: UInt64, _ what: String, _ account: Int, _ connection: Int, _ state: inout State
    ) {
        guard scope != .everyone, !isAllowed(scope, bornAt, account, connection, state) else { return }
        state.leaked(Leak(account: account, connection: connection, scope: scope, what: what))
    }

    private static func isAllowed(
        _ scope: Scope, _ bornAt: UInt64, _ account: Int, _ connection: Int, _ state: State
    ) -> Bool {
        guard let right = state.rights[account]?[scope] else { return false }
        return right.isHeld || (right.unfenced.contains(connection) && bornAt < right.revokedAt)
    }

    // MARK: Reading

    /// Topics whose content is told. That one is in view no longer, or is told anew, says nothing of it.
    private static func topics(of item: WireItem) -> [String] {
        switch item.body {
        case .event(let event): [event.topic]
        case .snapshot(let page): [page.cursor.topic]
        case .continued(let continued): [continued.cursor.topic]
        case .own(let own): [own.topic]
        default: []
        }
    }

    private static func instances(of item: WireItem) -> [WireInstance] {
        switch item.body {
        case .event(let event): if case .entered(let entered) = event.change { [entered.instance] } else { [] }
        case .snapshot(let page): page.instances
        default: []
        }
    }

    /// Notes that the sender of a request is told of because it named them: what a feature lets somebody change, it
    /// shows them.
    private static func answers(in item: WireItem) -> Int {
        guard case .reply(let reply) = item.body else { return 0 }
        return switch reply.result {
        case .placed, .edited: 1
        default: 0
        }
    }

    private static func ids(of item: WireItem) -> [String] {
        guard case .event(let event) = item.body else { return [] }
        return switch event.change {
        case .changed(let changed): [changed.instance]
        case .left(let left): [left.instance]
        case .movedOut(let moved): [moved.instance]
        default: []
        }
    }
}
