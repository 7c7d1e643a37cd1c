import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// What somebody learns of things that they do not see, by asking (findings B4): nothing.
@Suite("Placements: out of view")
struct OutOfViewTests {
    private static let cell = Ground.here.cell
    /// Stands somewhere else and sees nothing of `Ground.here`.
    private static let stranger = away(2)

    private static func away(_ number: UInt64) -> Sender {
        let there = Ground.make(near: .make(latitude: 48.8584, longitude: 2.2945))
        return Sender(
            participant: .make(number), account: .make(number), name: "person-\(number)",
            position: GeoPoint(coordinate: there.centre, altitudeMetres: 0), view: [there.cell])
    }

    /// A town with one thing in `cell`, and the disk that it is on.
    private static func make() async throws -> (town: TownBench, disk: TemporaryStore, instance: WireInstance) {
        var town = TownBench()
        let instance = try town.place(1)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        return (TownBench(settings: town.settings), disk, instance)
    }

    private static func body(_ what: String, _ instance: WireInstance) -> WireClientMessage.OneOf_Body {
        switch what {
        case "select": .selecting(instance)
        case "edit": .editing(instance, to: .make())
        case "remove": .removing(instance)
        default: .reacting("like", to: instance)
        }
    }

    /// Asks, with the disk answering what homes ask of it.
    private static func ask(
        _ request: Request, in town: inout TownBench, _ disk: TemporaryStore
    ) async throws -> Answer {
        town.push(request)
        try await town.answerQuestions(from: disk)
        town.runUntilIdle()
        return try #require(town.answer(to: request))
    }

    @Test(arguments: ["select", "edit", "remove", "react"])
    func somebodyElsesThing_isAnsweredAsOneThatNeverWas(what: String) async throws {
        var (town, disk, instance) = try await Self.make()
        var never = instance
        never.id = town.identifiers.name(of: InstanceID(rawValue: 12_345))
        var answers: [String] = []
        for (id, thing) in zip(UInt32(1)..., [instance, never]) {
            let request = Request.make(Self.body(what, thing), id: id, from: Self.stranger)
            let answer = try await Self.ask(request, in: &town, disk)
            if let refusal = answer.refusal {
                #expect(refusal.code == .notFound)
                answers.append("\(refusal.code) \(refusal.message) \(refusal.details)")
            } else if case .removed(let removed) = try answer.result {
                answers.append(removed.instance == thing.id ? "removed" : "another")
            }
        }
        #expect(answers.count == 2 && answers[0] == answers[1])
        #expect(what != "remove" || answers[0] == "removed", "PLC-11: removing what is not there is success")
        await disk.close()
    }

    @Test(arguments: ["select", "edit", "remove", "react"])
    func somebodyElsesThing_wakesNoCell(what: String) async throws {
        var (town, disk, instance) = try await Self.make()
        _ = try await Self.ask(.make(Self.body(what, instance), id: 2, from: Self.stranger), in: &town, disk)
        #expect(town.homes[.cell(Self.cell)] == nil)
        await disk.close()
    }

    @Test(arguments: ["edit", "remove"])
    func ownThing_isDecidedByItsCellAsEver(what: String) async throws {
        var (town, disk, instance) = try await Self.make()
        town.wake(.cell(Self.cell), try await disk.stored(in: .cell(Self.cell)))
        let request = Request.make(Self.body(what, instance), id: 2, from: Self.away(1))
        let answer = try await Self.ask(request, in: &town, disk)
        if what == "remove" {
            #expect(answer.refusal == nil)
            #expect(town[Self.cell].instances.isEmpty)
        } else {
            #expect(answer.refusal?.code == .tooFar, "the cell has looked at the reach of its owner")
        }
        await disk.close()
    }

    @Test(arguments: ["edit", "remove"])
    func ownThingElsewhere_isToldWithItsCell_andWakesNone(what: String) async throws {
        var (town, disk, instance) = try await Self.make()
        let claimed = instance.claimed(in: Ground.make(near: .make(latitude: 40.7, longitude: -74)).cell)
        let answer = try await Self.ask(.make(Self.body(what, claimed), id: 2, from: Self.away(1)), in: &town, disk)
        #expect(answer.refusal?.code == .notFound)
        #expect(answer.refusal?.details["cell"] == Self.cell.token)
        #expect(town.homes.keys.allSatisfy { $0.kind == .account })
        await disk.close()
    }

    /// In view of its old cell, a stranger who asks for a thing that has moved on.
    @Test(arguments: ["select", "edit", "remove", "react"])
    func whereAThingWent_onlyItsOwnerIsTold(what: String) throws {
        var town = TownBench()
        let instance = try town.place(1)
        _ = try town.edit(2, instance, to: .make(at: Ground.here.between(0.6)))
        let refusal = try town.refusal(Self.body(what, instance), from: .make(2))
        #expect(refusal?.code == (what == "remove" ? nil : .notFound))
        #expect(refusal?.details["cell"] == nil)
        #expect(town[Ground.here.neighbour].instances.count == 1)
    }

    @Test func editWithABadPose_isABadPose_whateverItNames() async throws {
        var (town, disk, instance) = try await Self.make()
        let request = Request.make(.editing(instance, to: .make(scale: 1_000)), from: Self.stranger)
        #expect(try await Self.ask(request, in: &town, disk).refusal?.code == .badPose)
        await disk.close()
    }
}
