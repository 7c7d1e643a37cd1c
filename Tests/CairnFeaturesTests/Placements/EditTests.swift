import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@Suite("Placements: edit, remove, select")
struct EditTests {
    private var town = TownBench()

    // MARK: Edit within a cell (PLC-10)

    @Test mutating func edit_raisesTheVersionAndTellsFollowers() throws {
        let instance = try town.place(1)
        let pose = WirePose.make(at: Ground.here.at(east: 5), scale: 2)
        let edited = try town.edit(2, instance, to: pose)
        #expect(edited.version == 2 && edited.pose == pose)
        let event = try #require(town.events().last)
        #expect(event.changed.version == 2 && event.changed.pose == pose)
    }

    @Test mutating func edit_keepsWhatItDoesNotChange() throws {
        let instance = try town.place(1, object: "preset:star")
        town.time.advance(.seconds(5))
        let edited = try town.edit(2, instance, to: .make(scale: 2))
        #expect(edited.id == instance.id && edited.object == "preset:star")
    }

    @Test mutating func editOfAnOlderVersion_isAConflictThatNamesThePresentOne() throws {
        let instance = try town.place(1)
        _ = try town.edit(2, instance, to: .make(scale: 2))
        let refusal = try town.refusal(.editing(instance, to: .make(scale: 3)))
        #expect(refusal?.code == .versionConflict)
        #expect(refusal?.details["version"] == "2")
    }

    @Test mutating func editOfAFutureVersion_isAConflict() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.editing(instance, to: .make(), version: 2))?.code == .versionConflict)
    }

    @Test func ofTwoEditsOfOneVersion_oneWins() throws {
        var town = TownBench(disk: .later)
        let instance = try town.place(1)
        for id in 2...5 { town.push(.make(.editing(instance, to: .make(scale: Double(id))), id: UInt32(id))) }
        town.runUntilIdle()
        let refusals = (2...5).map { id in town.answers.first { $0.request.id == UInt32(id) }?.answer.refusal?.code }
        #expect(refusals == [nil, .versionConflict, .versionConflict, .versionConflict])
    }

    @Test mutating func editBySomebodyElse_isForbidden() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.editing(instance, to: .make()), from: .make(2))?.code == .forbidden)
    }

    @Test mutating func editOfWhatIsNotThere_isNotFound() throws {
        var instance = try town.place(1)
        instance.id = InstanceID(rawValue: 1).description
        #expect(try town.refusal(.editing(instance, to: .make()))?.code == .notFound)
    }

    @Test mutating func editWithABadPose_changesNothing() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.editing(instance, to: .make(scale: 1_000)))?.code == .badPose)
        #expect(town[Ground.here.cell].instances == [instance])
    }

    @Test mutating func editBeyondReach_isRefused() throws {
        let instance = try town.place(1)
        let far = Sender.make(at: Ground.here.at(north: 150))
        #expect(try town.refusal(.editing(instance, to: .make()), from: far)?.code == .tooFar)
    }

    @Test mutating func editWithoutAPosition_isRefused() throws {
        let instance = try town.place(1)
        let refusal = try town.refusal(.editing(instance, to: .make()), from: .make(at: nil))
        #expect(refusal?.code == .positionRequired)
    }

    @Test(arguments: ["", "xyz", "1", "487604c4", "ffffffffffffffff"])
    func editThatNamesNoCellOfTheLevel_isRefused(token: String) throws {
        var town = town
        var instance = try town.place(1)
        instance.cell = token
        let refusal = try town.refusal(.editing(instance, to: .make()))
        #expect(refusal?.code == .invalidField && refusal?.details["field"] == "cell")
    }

    @Test mutating func edit_neededNoQuota() throws {
        var town = TownBench(settings: .make { $0.placements.areaQuota = 1 })
        let instance = try town.place(1)
        #expect(try town.edit(2, instance, to: .make(scale: 2)).version == 2)
    }

    // MARK: Remove (PLC-11)

    @Test mutating func remove_tellsFollowersAndFreesTheCell() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.removing(instance), id: 2) == nil)
        #expect(town.events().last?.left.instance == instance.id)
        #expect(town[Ground.here.cell].instances.isEmpty)
    }

    @Test mutating func removingAgain_isSuccessAndToldToNobody() throws {
        let instance = try town.place(1)
        _ = try town.refusal(.removing(instance), id: 2)
        let before = town.events().count
        #expect(try town.refusal(.removing(instance), id: 3) == nil)
        #expect(town.events().count == before)
    }

    /// Such a request costs no disk, however often it comes.
    @Test mutating func removingWhatIsGone_keepsNothing_notEvenItsKey() throws {
        let instance = try town.place(1)
        _ = try town.refusal(.removing(instance), id: 2)
        let before = town.kept.count
        for _ in 0..<2 { #expect(try town.refusal(.removing(instance), id: 3) == nil) }
        #expect(town.kept.count == before)
        #expect(town.recalls.isEmpty)
    }

    @Test mutating func removalThatIsKept_isRecalled() throws {
        let instance = try town.place(1)
        for _ in 0..<2 {
            town.push(.make(.removing(instance), id: 2))
            town.runUntilIdle()
        }
        #expect(town.recalls.count == 1)
    }

    @Test mutating func removingWhatIsNoID_isRefused() throws {
        var instance = try town.place(1)
        instance.id = String(repeating: "x", count: 60_000)
        #expect(try town.refusal(.removing(instance), id: 2)?.code == .invalidField)
    }

    @Test func editsAndRemovals_haveARateTogether() throws {
        var town = TownBench(settings: .make { $0.placements.changesPerMinute = 2 })
        let instance = try town.place(1)
        #expect(try town.refusal(.editing(instance, to: .make(scale: 2)), id: 2) == nil)
        #expect(try town.refusal(.removing(instance), id: 3) == nil)
        #expect(try town.refusal(.removing(instance), id: 4)?.code == .rateLimited)
        #expect(try town.refusal(.removing(instance), id: 5, from: .make(2)) == nil)
    }

    @Test mutating func removeBySomebodyElse_isForbidden() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.removing(instance), from: .make(2))?.code == .forbidden)
        #expect(town[Ground.here.cell].instances.count == 1)
    }

    @Test mutating func removing_needsNoReach() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.removing(instance), from: .make(at: nil)) == nil)
    }

    @Test mutating func removedInstance_isGoneForEverybody() throws {
        let instance = try town.place(1)
        _ = try town.refusal(.removing(instance), id: 2)
        #expect(try town.refusal(.selecting(instance), id: 3)?.code == .notFound)
        #expect(try town.refusal(.reacting("like", to: instance), id: 4)?.code == .notFound)
        #expect(try town.refusal(.editing(instance, to: .make()), id: 5)?.code == .notFound)
    }

    // MARK: Select (VIS-7)

    @Test mutating func select_givesTheInstanceAndItsPlacersName() throws {
        let instance = try town.place(1, by: .make(4))
        town.names.people.set(.make(4), to: "Ada")
        let strangers = try town.select(2, instance, by: .make(5))
        #expect(strangers.instance.asOthersSee == instance)
        #expect(strangers.placerName.isEmpty, "the name is for friends")
        town.names.set(Privacy(.everyone), of: .make(4))
        #expect(try town.select(3, instance, by: .make(5)).placerName == "Ada")
    }

    @Test mutating func select_tellsOthersTheHourAndThePlacerTheMillisecond() throws {
        town.time.advance(.seconds(754))
        let instance = try town.place(1)
        let (own, others) = (try town.select(2, instance).instance, try town.select(3, instance, by: .make(2)).instance)
        #expect(own.created == town.time.wall.milliseconds && !own.placer.isEmpty)
        #expect(others.created == town.time.wall.milliseconds / 3_600_000 * 3_600_000 && others.placer.isEmpty)
    }

    @Test mutating func select_givesThePlacerMoreActionsThanOthers() throws {
        let instance = try town.place(1)
        let (own, others) = (try town.select(2, instance).actions, try town.select(3, instance, by: .make(2)).actions)
        #expect(own == ["react", "edit", "remove"])
        #expect(others == ["react"])
    }

    @Test func select_seesOnlyWhatIsOnDisk() throws {
        var town = TownBench(disk: .later)
        let place = Request.make(.placing(), id: 1)
        town.push(place)
        town.commit()
        guard case .placed(let placed) = try #require(town.answer(to: place)).result else { return }
        let edit = Request.make(.editing(placed.instance, to: .make(scale: 2)), id: 2)
        town.push(edit)
        let look = Request.make(.selecting(placed.instance), id: 3)
        town.push(look)
        guard case .selected(let selected) = try #require(town.answer(to: look)).result else { return }
        #expect(selected.instance.version == 1)
        #expect(town.answer(to: edit) == nil)
    }

    @Test mutating func selectInTheWrongCell_isNotFound() throws {
        let instance = try town.place(1).claimed(in: Ground.here.neighbour)
        #expect(try town.refusal(.selecting(instance))?.code == .notFound)
    }

    @Test mutating func selectOfNonsense_isNotFound() throws {
        var instance = try town.place(1)
        instance.id = "nonsense"
        #expect(try town.refusal(.selecting(instance))?.code == .notFound)
    }
}
