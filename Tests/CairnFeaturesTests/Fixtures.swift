import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire

extension TownBench {
    /// Places something and gives the instance as everybody sees it.
    mutating func place(
        _ id: UInt32, by sender: Sender = .make(), at place: Coordinate = Ground.here.centre,
        object: String = "preset:flag", pose: WirePose? = nil, key: String? = nil
    ) throws -> WireInstance {
        let request = Request.make(.placing(object, pose ?? .make(at: place)), id: id, key: key, from: sender)
        guard case .placed(let placed) = try ask(request).result else { throw BenchError("not placed") }
        return placed.instance.asOthersSee
    }

    /// Asks and gives the refusal, of the session or of a home; nil when it was a success.
    mutating func refusal(
        _ body: WireClientMessage.OneOf_Body, id: UInt32 = 99, from sender: Sender = .make()
    ) throws -> Refusal? {
        let request: Request
        do throws(Refusal) {
            request = try .decoding(body, id: id, from: sender)
        } catch {
            return error
        }
        return try ask(request).refusal
    }

    /// Edits and gives the instance as it is then.
    mutating func edit(
        _ id: UInt32, _ instance: WireInstance, to pose: WirePose, by sender: Sender = .make()
    ) throws -> WireInstance {
        let answer = try ask(.make(.editing(instance, to: pose), id: id, from: sender))
        guard case .edited(let edited) = try answer.result else { throw BenchError("not edited") }
        return edited.instance.asOthersSee
    }

    /// Selects and gives the details.
    mutating func select(
        _ id: UInt32, _ instance: WireInstance, by sender: Sender = .make()
    ) throws -> WireSelected {
        let answer = try ask(.make(.selecting(instance), id: id, from: sender))
        guard case .selected(let selected) = try answer.result else { throw BenchError("not selected") }
        return selected
    }

    /// The events of a cell so far.
    mutating func events(of cell: CellID = Ground.here.cell) -> [WireEvent] { self[cell].events }
}

extension WireEvent {
    /// What kind of change it tells, in a word: the name of its case.
    var word: String {
        change.flatMap { Mirror(reflecting: $0).children.first?.label } ?? "nothing"
    }
}

extension WireInstance {
    /// The same instance as if it were somewhere else: for requests that name the wrong cell.
    func claimed(in cell: CellID) -> WireInstance {
        var copy = self
        copy.cell = cell.token
        return copy
    }
}

extension TownBench {
    /// Has the disk answer what homes are asking of the store now.
    mutating func answerQuestions(from disk: TemporaryStore) async throws {
        var answers: [Query: [Row]] = [:]
        let queries = asked.flatMap { $0.queries } + inquiries.map { $0.query }
        for query in queries { answers[query] = try await disk.read(query)[0] }
        store = { [answers] query in answers[query, default: []] }
    }

    /// The two cells of a town, read anew from what is on its disk.
    func revived() async throws -> (town: TownBench, disk: TemporaryStore) {
        let disk = try await TemporaryStore.open()
        try await disk.commit(kept)
        var woken = TownBench(settings: settings, time: time)
        for cell in [Ground.here.cell, Ground.here.neighbour] {
            woken.wake(.cell(cell), try await disk.stored(in: .cell(cell)))
        }
        let heard = try await disk.read(HeardMessage.table.all)[0]
        woken.store = { query in heard.filter { $0.values.first == query.arguments.first } }
        return (woken, disk)
    }
}
