import CairnClient
import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Synchronization

@testable import CairnRoot

/// People who join groups and clubs, leave them, place, carry and remove notes for them, speak in clubs, walk, are cut
/// and come back, each as fast as the server answers; an oracle looks at all that they are sent.
struct ScopeCrowd {
    static let register = FeatureRegister([Notes.self, Clubs.self])

    /// Groups whose rights are given by hand, and clubs: homes that admit and expel, and publish for their members.
    static let groups = (1...6).map(Scope.group)
    static let clubs = (1...3).map { Scope.members(of: .realm(RealmID(rawValue: $0))) }
    private static let cells = [Ground.here.cell] + Ground.here.cell.neighbours.prefix(4)
    private static let devicesMax = 3
    /// Notes that are there at once, about so many: a snapshot costs as much at the end of a long run as at its start.
    private static let notesMax = 200

    let server: RunningServer
    /// Lets some events out to everybody; nil = the server as it is.
    var fault: LeakyFanOut?
    let oracle = ScopeOracle()
    /// Notes that are there, as far as the crowd knows: id, cell and groups.
    private let notes = NoteBook()

    /// Has `people` do so many things in all. All that they were sent by the end has been seen when it returns.
    func run(people: Int, steps: Int, seed: UInt64) async throws {
        let crowd = try await atOnce(people) { number in
            var person = Person(number: number, crowd: self, seed: seed &+ UInt64(number))
            try await person.live(steps: steps / people)
            return person
        }
        _ = try await atOnce(people) { try await crowd[$0].end() }
    }

    /// One account and its devices. What it does is done one after the other.
    private struct Person {
        let number: Int
        let crowd: ScopeCrowd
        var random: SeededGenerator
        var token = ""
        var account = AccountID(rawValue: 0)
        var devices: [Device] = []
        var held: Set<Scope> = []
        var made = 0

        init(number: Int, crowd: ScopeCrowd, seed: UInt64) {
            self.number = number
            self.crowd = crowd
            random = SeededGenerator(seed: seed)
        }

        mutating func live(steps: Int) async throws {
            try await come()
            for done in 1...max(1, steps) {
                try await step()
                // A long run says what it has found so far: it may be ended early.
                if number == 0, steps >= 10_000, done.isMultiple(of: steps / 20) {
                    let line = "step \(done) of \(steps) of each: \(crowd.oracle.leaks.count) leaks\n"
                    FileHandle.standardError.write(Data(line.utf8))
                }
            }
        }

        func end() async throws {
            for device in devices {
                try await device.fence()
                device.client.close()
            }
        }

        private mutating func step() async throws {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<6: try await join()
            case ..<11: try await leave()
            case ..<16: await speak()
            case ..<50: if crowd.notes.count < ScopeCrowd.notesMax { try await place() } else { try await remove() }
            case ..<79: try await change()
            case ..<91: try await walk()
            case ..<95: try await cut()
            case ..<98: try await come()
            default: try await go()
            }
        }

        private var anyDevice: Device { devices[0] }

        // MARK: Rights

        private mutating func join() async throws {
            let others = (ScopeCrowd.groups + ScopeCrowd.clubs).filter { !held.contains($0) }
            guard let scope = others.randomElement(using: &random) else { return }
            held.insert(scope)
            crowd.oracle.grants(scope, to: number)
            if let club = scope.home {
                await crowd.server.tell(club, JoinClub(account))
                for device in devices { try await device.hears(Topic(club, scope)) }
            } else {
                await crowd.server.grant(scope, to: account)
            }
        }

        private mutating func leave() async throws {
            let scopes = (ScopeCrowd.groups + ScopeCrowd.clubs).filter(held.contains)
            guard let scope = scopes.randomElement(using: &random) else { return }
            held.remove(scope)
            if let club = scope.home {
                // The club says goodbye to each device. From there on nothing of the scope comes to it, of no home.
                await crowd.server.tell(club, LeaveClub(account))
                for device in devices { try await device.hearsNoMore(Topic(club, scope)) }
                return crowd.oracle.revoked(scope, of: number, connections: [])
            }
            await crowd.server.revoke(scope, of: account)
            crowd.oracle.revoked(scope, of: number, connections: Set(devices.map(\.number)))
            // What had been sent to a device before is over when it has the answer to what it asks now.
            for device in devices {
                try await device.fence()
                crowd.oracle.fenced(scope, of: number, connection: device.number)
            }
        }

        /// Says something in a club, as its members see it.
        private mutating func speak() async {
            guard let scope = ScopeCrowd.clubs.filter(held.contains).randomElement(using: &random),
                let club = scope.home
            else { return }
            made += 1
            var note = WireInstance()
            note.text = "note \(number)-\(made)"
            note.id = "said \(number)-\(made)"
            crowd.oracle.places(note.text, for: [scope])
            await crowd.server.tell(club, SpeakInClub(note.text))
            await crowd.fault?.told(
                of: note, in: Topic(club, scope), seenIn: .cell(Ground.here.cell), by: crowd.server)
        }

        // MARK: Notes

        private mutating func place() async throws {
            made += 1
            let text = "note \(number)-\(made)"
            let audience = (ScopeCrowd.groups + ScopeCrowd.clubs).shuffled(using: &random)
                .prefix(Int.random(in: 0...2, using: &random)).map { $0 }
            crowd.oracle.places(text, for: audience)
            let cell = ScopeCrowd.cells.randomElement(using: &random) ?? Ground.here.cell
            let result = try await anyDevice.ask(
                .placing(Notes.object(for: audience), .make(at: cell.centre), text: text))
            guard case .placed(let placed) = result else { throw BenchError("not placed: \(result.words)") }
            crowd.oracle.placed(text, as: placed.instance.id)
            await crowd.fault?.told(of: placed.instance, by: crowd.server)
            crowd.notes.add(placed.instance.id, in: cell)
        }

        /// Edits a note, or carries it into another cell.
        private mutating func change() async throws {
            guard let (id, cell) = crowd.notes.take(using: &random) else { return }
            var message = WireClientMessage()
            message.edit.instance = id
            message.edit.cell = cell.token
            var end = cell
            if Bool.random(using: &random), let next = ScopeCrowd.cells.randomElement(using: &random), next != cell {
                message.edit.text = next.token
                end = next
            }
            let result = try await anyDevice.ask(.edit(message.edit))
            guard case .edited(let edited) = result else { throw BenchError("not edited: \(result.words)") }
            await crowd.fault?.told(of: edited.instance, by: crowd.server)
            crowd.notes.add(id, in: end)
        }

        private mutating func remove() async throws {
            guard let (id, cell) = crowd.notes.take(using: &random) else { return }
            _ = try await anyDevice.ask(
                .made { message in
                    message.remove.instance = id
                    message.remove.cell = cell.token
                })
        }

        // MARK: Coming and going

        private mutating func walk() async throws {
            let cell = ScopeCrowd.cells.randomElement(using: &random) ?? Ground.here.cell
            let device = devices.randomElement(using: &random) ?? anyDevice
            try await device.client.move(to: cell.centre)
            crowd.oracle.notes("walk of \(device.number)", of: number)
        }

        private mutating func come() async throws {
            guard devices.count < ScopeCrowd.devicesMax else { return }
            try await connect(session: "", cursors: [])
        }

        /// A device loses its connection and takes its session up again, at once.
        private mutating func cut() async throws {
            let device = devices.remove(at: Int.random(in: devices.indices, using: &random))
            device.client.abort()
            try await device.ends()
            crowd.oracle.notes("cut of \(device.number)", of: number)
            try await connect(session: device.session, cursors: device.client.record.cursors)
        }

        private mutating func go() async throws {
            guard devices.count > 1 else { return }
            let device = devices.removeLast()
            device.client.close()
            try await device.ends()
            crowd.oracle.notes("close of \(device.number)", of: number)
        }

        private mutating func connect(session: String, cursors: [WireCursor]) async throws {
            let connection = crowd.notes.newConnection()
            let (oracle, number) = (crowd.oracle, number)
            let followed = FollowedTopics()
            let client = try TestClient(port: crowd.server.port, format: .proto, keepsItems: false) {
                oracle.saw($0, $1, account: number, connection: connection)
                followed.saw($1)
            }
            var hello = WireHello.make(name: "person-\(number)", token: token, cursors: cursors)
            hello.session = session
            let welcome = try await client.hello(hello)
            token = welcome.token
            guard let account = await crowd.server.account(named: welcome.account) else {
                throw BenchError("no account: \(welcome.account)")
            }
            self.account = account
            oracle.notes(
                "connection \(connection) \(session.isEmpty ? "is new" : "goes on"), \(held.count) held",
                of: number)
            let device = Device(
                number: connection, client: client, session: welcome.session, keys: crowd.notes, followed: followed)
            devices.append(device)
            try await client.move(to: Ground.here.centre)
            // Else it could be told for the first time of what the person has left meanwhile.
            for scope in held {
                if let club = scope.home { try await device.hears(Topic(club, scope)) }
            }
        }
    }

    private struct Device {
        let number: Int
        let client: TestClient
        let session: String
        let keys: NoteBook
        let followed: FollowedTopics

        /// With a key that no other request of the account has.
        func ask(_ body: WireClientMessage.OneOf_Body) async throws -> WireReply.OneOf_Result {
            try await client.reply(to: client.push(body, key: keys.next(of: number)))
        }

        /// Everything that was sent before now has come when this returns.
        func fence() async throws { _ = try await client.move(to: Ground.here.centre) }

        /// Returns when the connection is closed and nothing comes from it any more. Until then it may still hand out
        /// what the server had sent before a later revocation.
        func ends() async throws { _ = try await client.closedCode() }

        /// Returns when the device follows a topic, as it was told.
        func hears(_ topic: Topic) async throws {
            try await client.wait(until: "the topic \(topic.name)") { _ in followed.contains(topic.name) }
        }

        /// Returns when the device has been told that it does not follow a topic.
        func hearsNoMore(_ topic: Topic) async throws {
            try await client.wait(until: "the end of the topic \(topic.name)") { _ in !followed.contains(topic.name) }
        }
    }
}

/// The topics that a connection was told of last, and that have not ended. A record of the connection does not know a
/// topic that goes on from an earlier connection's cursor.
private final class FollowedTopics: Sendable {
    private let names = Mutex<Set<String>>([])

    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

    func saw(_ message: WireServerMessage) {
        for item in message.items {
            switch item.body {
            case .snapshot(let page): _ = names.withLock { $0.insert(page.cursor.topic) }
            case .continued(let continued): _ = names.withLock { $0.insert(continued.cursor.topic) }
            case .unfollowed(let unfollowed): _ = names.withLock { $0.remove(unfollowed.topic) }
            default: break
            }
        }
    }
}

/// Where notes are, as far as the crowd knows; whoever takes one has it alone.
private final class NoteBook: Sendable {
    private let state = Mutex((notes: [(id: String, cell: CellID)](), connections: 0, keys: 0))

    var count: Int { state.withLock { $0.notes.count } }

    func add(_ id: String, in cell: CellID) { state.withLock { $0.notes.append((id, cell)) } }

    func take(using random: inout SeededGenerator) -> (id: String, cell: CellID)? {
        let number = random.next()
        return state.withLock { state in
            guard !state.notes.isEmpty else { return nil }
            let index = Int(number % UInt64(state.notes.count))
            state.notes.swapAt(index, state.notes.count - 1)
            return state.notes.removeLast()
        }
    }

    /// A key for a request of this connection.
    func next(of connection: Int) -> String {
        state.withLock { state in
            state.keys += 1
            return "\(connection)-\(state.keys)"
        }
    }

    func newConnection() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }
}

extension WireReply.OneOf_Result {
    /// For the message of an error.
    fileprivate var words: String {
        if case .refusal(let refusal) = self { "\(refusal.code): \(refusal.message)" } else { "\(self)" }
    }
}
