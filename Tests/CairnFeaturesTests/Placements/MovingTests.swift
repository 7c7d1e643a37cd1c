import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PLC-10 over a border: two homes, one step for viewers.
@Suite("Placements: moving to another cell")
struct MovingTests {
    private static let nextDoor = Ground.here.between(0.6)
    private static let here = Ground.here.cell
    private static let there = Ground.here.neighbour

    /// A town with one instance in `here`, and the request that moves it.
    private static func make(
        disk: HomeBench.Disk = .now, _ change: (inout Settings) -> Void = { _ in }
    ) throws -> (town: TownBench, instance: WireInstance, move: Request) {
        var town = TownBench(settings: .make(change), disk: disk)
        let instance = try town.place(1)
        return (town, instance, .make(.editing(instance, to: .make(at: nextDoor)), id: 2))
    }

    // MARK: Success

    @Test func move_answersWithTheInstanceInItsNewCell() throws {
        var (town, instance, move) = try Self.make()
        guard case .edited(let edited) = try town.ask(move).result else { return }
        #expect(edited.instance.id == instance.id)
        #expect(edited.instance.cell == Self.there.token)
        #expect(edited.instance.version == 2)
    }

    @Test func move_isOneStepForViewers() throws {
        var (town, instance, move) = try Self.make()
        _ = try town.ask(move)
        let entered = try #require(town.events(of: Self.there).last?.entered)
        #expect(entered.instance.id == instance.id && entered.instance.version == 2)
        let left = try #require(town.events(of: Self.here).last?.movedOut)
        #expect(left.instance == instance.id && left.version == 2)
    }

    /// Not even to the next cell: a follower of one of them need not see the other.
    @Test func movedThing_isToldWithoutItsOtherCell() throws {
        var (town, _, move) = try Self.make()
        _ = try town.ask(move)
        let left = try #require(town.events(of: Self.here).last)
        #expect(left.movedOut.cell.isEmpty && !"\(left)".contains(Self.there.token))
        let entered = try #require(town.events(of: Self.there).last)
        #expect(entered.entered.movedFrom.isEmpty && !"\(entered)".contains(Self.here.token))
    }

    @Test func moved_isHeldByExactlyOneCell() throws {
        var (town, _, move) = try Self.make()
        _ = try town.ask(move)
        #expect(town[Self.here].instances.isEmpty)
        #expect(town[Self.there].instances.count == 1)
    }

    @Test func moved_isNoLongerFoundInItsOldCell() throws {
        var (town, instance, move) = try Self.make()
        _ = try town.ask(move)
        #expect(try town.refusal(.selecting(instance))?.code == .notFound)
    }

    @Test(arguments: ["select", "edit", "remove", "react"])
    func whoeverAsksTheOldCell_isToldWhereItIs(what: String) throws {
        var (town, instance, move) = try Self.make()
        _ = try town.ask(move)
        let body: WireClientMessage.OneOf_Body =
            switch what {
            case "select": .selecting(instance)
            case "edit": .editing(instance, to: .make())
            case "remove": .removing(instance)
            default: .reacting("like", to: instance)
            }
        let refusal = try town.refusal(body)
        #expect(refusal?.code == .notFound)
        #expect(refusal?.details["cell"] == Self.there.token)
        #expect(town[Self.there].instances.count == 1)
    }

    @Test func move_freesAPlaceOfTheOldCellsQuotaAndTakesOneOfTheNew() throws {
        var (town, _, move) = try Self.make { $0.placements.areaQuota = 1 }
        _ = try town.ask(move)
        #expect(try town.refusal(.placing(), id: 3) == nil)
        let there = WireClientMessage.OneOf_Body.placing("preset:flag", .make(at: Self.nextDoor))
        #expect(try town.refusal(there, id: 4)?.code == .quotaArea)
    }

    @Test func movingThereAndBack_endsWhereItBegan() throws {
        var (town, _, move) = try Self.make()
        guard case .edited(let there) = try town.ask(move).result else { return }
        let back = try town.edit(3, there.instance, to: .make())
        #expect(back.cell == Self.here.token && back.version == 3)
        #expect(town[Self.here].instances.map(\.version) == [3])
        #expect(town[Self.there].instances.isEmpty)
        #expect(town.events(of: Self.here).map(\.word) == ["entered", "movedOut", "entered"])
        // It is nowhere else any more: when it is gone, nobody is sent to look for it there.
        #expect(try town.refusal(.removing(back), id: 4) == nil)
        #expect(try town.refusal(.selecting(back), id: 5)?.details["cell"] == nil)
        #expect(try town.refusal(.removing(back), id: 6) == nil)
    }

    // MARK: A cell that has slept knows no more where things went

    /// A town whose instance has moved on, with its cells read anew from the disk.
    private static func slept() async throws -> (town: TownBench, disk: TemporaryStore, instance: WireInstance) {
        var (town, instance, move) = try Self.make()
        _ = try town.ask(move)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(settings: town.settings)
        for cell in [here, there] { woken.wake(.cell(cell), try await disk.stored(in: .cell(cell))) }
        return (woken, disk, instance)
    }

    @Test func removeAtACellThatForgot_tellsWhereItIs_andLeavesIt() async throws {
        var (town, disk, instance) = try await Self.slept()
        let request = Request.make(.removing(instance), id: 3)
        town.push(request)
        #expect(town.answer(to: request) == nil)
        let rows = try await disk.read(town.asked[0].queries[0])[0]
        town.store = { _ in rows }
        town.runUntilIdle()
        #expect(town.answer(to: request)?.refusal?.code == .notFound)
        #expect(town.answer(to: request)?.refusal?.details["cell"] == Self.there.token)
        #expect(town[Self.there].instances.count == 1)
        await disk.close()
    }

    @Test func editAtACellThatForgot_isToldWhereItIs_andLeavesIt() async throws {
        var (town, disk, instance) = try await Self.slept()
        let request = Request.make(.editing(instance, to: .make(scale: 2)), id: 3)
        town.push(request)
        try await town.answerQuestions(from: disk)
        town.runUntilIdle()
        #expect(town.answer(to: request)?.refusal?.code == .notFound)
        #expect(town.answer(to: request)?.refusal?.details["cell"] == Self.there.token)
        #expect(town[Self.there].instances.map(\.version) == [2])
        await disk.close()
    }

    /// The instance comes back to the first cell after that has asked the store for it, and before the answer: the town
    /// hears what is under way last.
    private static func backAmid(_ town: inout TownBench) -> (cell: HomeBench, asked: Request) {
        let asked = town.asked[0].request
        town.time.advance(.milliseconds(1))
        town.push(.make(.editing(town[there].instances[0], to: .make()), id: 4))
        var cell = town[here]
        cell.time = town.time
        cell.hear(town.underWay[0].message)
        return (cell, asked)
    }

    @Test func editOfWhatComesBackWhileTheStoreIsAsked_isMade() async throws {
        var (town, disk, instance) = try await Self.slept()
        town.push(.make(.editing(instance, to: .make(scale: 2), version: 3), id: 3))
        var (cell, asked) = Self.backAmid(&town)
        cell.resume(asked, rows: [[], []])
        #expect(cell.instances.map(\.version) == [4])
        await disk.close()
    }

    @Test func removeByAStranger_isToldNoPlace() async throws {
        var (town, disk, instance) = try await Self.slept()
        town.push(.make(.removing(instance), id: 3, from: .make(2)))
        #expect(try await disk.read(town.asked[0].queries[0])[0].isEmpty)
        await disk.close()
    }

    @Test func removeOfWhatIsGone_isSuccess() async throws {
        var (town, disk, instance) = try await Self.slept()
        try await disk.commit([Statement("DELETE FROM instances")])
        let request = Request.make(.removing(instance), id: 3)
        town.push(request)
        let rows = try await disk.read(town.asked[0].queries[0])[0]
        town.store = { _ in rows }
        town.runUntilIdle()
        #expect(town.answer(to: request).map { $0.refusal == nil } == true)
        await disk.close()
    }

    @Test func removeWhileTheStoreCannotBeRead_isToTryAgain() async throws {
        var (town, disk, instance) = try await Self.slept()
        town.store = { _ in nil }
        #expect(try town.refusal(.removing(instance), id: 3)?.code == .tryAgain)
        await disk.close()
    }

    @Test func removeOfWhatComesBackWhileTheStoreIsAsked_removesIt() async throws {
        var (town, disk, instance) = try await Self.slept()
        let remove = Request.make(.removing(instance), id: 3)
        town.push(remove)
        let rows = try await disk.read(town.asked[0].queries[0])[0]
        town.store = { _ in rows }
        var (cell, asked) = Self.backAmid(&town)
        #expect(cell.instances.count == 1)
        cell.resume(asked, rows: [rows])
        #expect(cell.instances.isEmpty && cell.answer(to: remove)?.refusal == nil)
        await disk.close()
    }

    // MARK: Cells that die

    @Test func moveThatTheOldCellHasSent_locksWhatMoves_overItsDeath_andArrives() async throws {
        var (town, instance, move) = try Self.make()
        town.push(move)
        var (revived, disk) = try await town.revived()
        #expect(try revived.refusal(.editing(instance, to: .make(scale: 2)), id: 3)?.code == .tryAgain)
        revived.fireTimers(of: .cell(Self.here))
        revived.runUntilIdle()
        #expect(revived[Self.here].instances.isEmpty)
        #expect(revived[Self.there].instances.map(\.version) == [2])
        #expect(revived.kept.contains { $0.sql.text.contains("INTO kept_answers") }, "its key has an answer")
        await disk.close()
    }

    @Test func moveThatArrived_beforeItsOldCellKnew_isDoneOnce() async throws {
        var (town, _, move) = try Self.make()
        town.push(move)
        town.deliver()
        town.drop()
        var (revived, disk) = try await town.revived()
        #expect(revived[Self.here].core.messagesUnderWay == 1)
        revived.fireTimers(of: .cell(Self.here))
        revived.runUntilIdle()
        #expect(revived[Self.here].core.messagesUnderWay == 0)
        #expect(revived[Self.there].instances.map(\.version) == [2] && revived[Self.here].instances.isEmpty)
        await disk.close()
    }

    @Test func moveIntoACellThatIsDead_isToTryAgain_andTheInstanceIsFree() throws {
        var (town, instance, move) = try Self.make()
        town.push(move)
        let lost = town.drop()
        town.time.advance(.seconds(6))
        town.fireTimers(of: .cell(Self.here))
        town.runUntilIdle()
        #expect(town.answer(to: move)?.refusal?.code == .tryAgain)
        #expect(try town.edit(3, instance, to: .make(scale: 2)).version == 2)
        for (home, message) in lost { town.tell(home, message) }
        town.runUntilIdle()
        #expect(town[Self.there].instances.isEmpty)
    }

    @Test func lateWordOfAMove_freesNoNewerOne() throws {
        var (town, _, move) = try Self.make { $0.placements.areaQuota = 1 }
        let other = try town.place(7, at: Self.nextDoor)
        town.push(move)
        town.deliver()
        let refusal = town.underWay
        town.runUntilIdle()
        #expect(town.answer(to: move)?.refusal?.code == .quotaArea)
        _ = try town.refusal(.removing(other), id: 8)
        let again = Request.make(.editing(town[Self.here].instances[0], to: .make(at: Self.nextDoor)), id: 9)
        town.push(again)
        let moving = town.drop()
        for (home, message) in refusal { town.tell(home, message) }
        town.runUntilIdle()
        #expect(try town.refusal(.editing(town[Self.here].instances[0], to: .make()), id: 10)?.code == .tryAgain)
        for (home, message) in moving { town.tell(home, message) }
        town.runUntilIdle()
        #expect(town[Self.there].instances.map(\.version) == [2] && town[Self.here].instances.isEmpty)
    }

    // MARK: Nothing is told before it is kept

    @Test func move_isToldByNeitherCellBeforeItIsOnDisk() throws {
        var (town, _, move) = try Self.make(disk: .later)
        town.push(move)
        town.deliver()
        #expect(town.underWay.isEmpty, "the old cell has not even sent it")
        town.commit()
        town.deliver()
        #expect(town.events(of: Self.here).count == 1)
        #expect(town.events(of: Self.there).isEmpty)
        #expect(town.answer(to: move) == nil)
        town.runUntilIdle()
        #expect(town.answer(to: move)?.refusal == nil)
    }

    @Test func viewersOfBothCells_areNeverWithoutTheInstance() throws {
        var (town, instance, move) = try Self.make(disk: .later)
        town.push(move)
        while town.answer(to: move) == nil {
            let visible = town[Self.here].instances + town[Self.there].instances
            #expect(visible.contains { $0.id == instance.id })
            town.deliver()
            town.commit()
        }
    }

    @Test func move_waitsForTheTurnsBeforeIt() throws {
        var (town, instance, _) = try Self.make(disk: .later)
        town.push(.make(.editing(instance, to: .make(scale: 2)), id: 5))
        town.push(.make(.editing(instance, to: .make(at: Self.nextDoor), version: 2), id: 6))
        #expect(town.underWay.isEmpty)
        town.commit()
        #expect(town.underWay.count == 1)
    }

    // MARK: Turned away

    @Test func move_intoAFullQuota_isRefusedAndLeavesItWhereItWas() throws {
        var (town, instance, move) = try Self.make { $0.placements.areaQuota = 1 }
        _ = try town.place(7, at: Self.nextDoor)
        #expect(try town.ask(move).refusal?.code == .quotaArea)
        #expect(town[Self.here].instances == [instance])
        #expect(town.events(of: Self.here).count == 1)
    }

    @Test func move_intoAFullCell_isRefusedAndLeavesItWhereItWas() throws {
        var (town, instance, move) = try Self.make { $0.instancesPerCellMax = 1 }
        _ = try town.place(7, by: .make(2), at: Self.nextDoor)
        #expect(try town.ask(move).refusal?.code == .cellFull)
        #expect(town[Self.here].instances == [instance])
    }

    @Test func moveThatTheDiskRefusesForGood_leavesItWhereItWas_andItCanBeChangedAgain() throws {
        var (town, instance, move) = try Self.make(disk: .later)
        town.push(move)
        town.commit()
        town.deliver()
        town.deliver()
        town.refuse(at: .cell(Self.there))
        town.runUntilIdle()
        #expect(town.answer(to: move)?.refusal?.code == .internal)
        #expect(town[Self.here].instances == [instance])
        #expect(try town.ask(.make(.editing(instance, to: .make(scale: 2)), id: 3)).refusal == nil)
    }

    @Test func turnedAwayInstance_canBeChangedAgain() throws {
        var (town, instance, move) = try Self.make { $0.placements.areaQuota = 1 }
        _ = try town.place(7, at: Self.nextDoor)
        _ = try town.ask(move)
        #expect(try town.edit(8, instance, to: .make(scale: 2)).version == 2)
    }

    @Test func moveBeyondReach_isRefusedByTheOldCell() throws {
        var (town, instance, _) = try Self.make()
        let far = Request.make(.editing(instance, to: .make(at: Ground.here.at(north: 300))), id: 2)
        #expect(try town.ask(far).refusal?.code == .tooFar)
        #expect(town[Self.here].core.messagesUnderWay == 0)
    }

    // MARK: While it is under way

    @Test(arguments: ["edit", "remove", "react", "move"])
    func anythingElseWhileItMoves_isToTryAgain(what: String) throws {
        var (town, instance, move) = try Self.make()
        town.push(move)
        let body: WireClientMessage.OneOf_Body =
            switch what {
            case "edit": .editing(instance, to: .make(scale: 2))
            case "remove": .removing(instance)
            case "react": .reacting("like", to: instance)
            default: .editing(instance, to: .make(at: Self.nextDoor))
            }
        let request = Request.make(body, id: 3)
        town.push(request)
        let refusal = try #require(town.answer(to: request)?.refusal)
        #expect(refusal.code == .tryAgain)
        #expect(refusal.retryAfter != nil)
        town.runUntilIdle()
        #expect(town[Self.there].instances.map(\.version) == [2])
    }

    @Test func selectWhileItMoves_stillFindsItAsItWas() throws {
        var (town, instance, move) = try Self.make()
        town.push(move)
        let look = Request.make(.selecting(instance), id: 3)
        town.push(look)
        guard case .selected(let selected) = try #require(town.answer(to: look)).result else { return }
        #expect(selected.instance.asOthersSee == instance)
    }

    @Test func cellWithAnInstanceUnderWay_saysSoUntilItHasSettled() throws {
        var (town, _, move) = try Self.make()
        town.push(move)
        #expect(town[Self.here].core.messagesUnderWay == 1)
        town.runUntilIdle()
        #expect(town[Self.here].core.messagesUnderWay == 0)
    }

    @Test func placeOfAnInstanceUnderWay_isNotFreeYet() throws {
        var (town, _, move) = try Self.make { $0.placements.areaQuota = 1 }
        town.push(move)
        let place = Request.make(.placing(), id: 3)
        town.push(place)
        #expect(town.answer(to: place)?.refusal?.code == .quotaArea)
    }
}
