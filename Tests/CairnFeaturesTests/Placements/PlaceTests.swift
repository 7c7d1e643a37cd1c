import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@Suite("Placements: place")
struct PlaceTests {
    private var town = TownBench()

    // MARK: Success (PLC-1, PLC-2, PLC-9)

    @Test mutating func place_answersWithTheInstanceAtVersion1() throws {
        let instance = try town.place(1, by: .make(7), object: "preset:star")
        #expect(instance.version == 1)
        #expect(instance.object == "preset:star")
        #expect(instance.cell == Ground.here.cell.token)
    }

    @Test mutating func placer_isToldThatItIsTheirsAndSinceWhen() throws {
        guard case .placed(let placed) = try town.ask(.make(.placing(), from: .make(7))).result else { return }
        #expect(placed.instance.placer == town.identifiers.name(of: AccountID.make(7)))
        #expect(placed.instance.created == town.time.wall.milliseconds)
    }

    @Test mutating func others_areToldNeitherWhoseItIsNorSinceWhen() throws {
        _ = try town.ask(.make(.placing(), from: .make(7)))
        for told in [town.events()[0].entered.instance] + town[Ground.here.cell].instances {
            #expect(told.placer.isEmpty && told.created == 0)
        }
    }

    @Test mutating func id_isTheNameThatTellsNoTime() throws {
        let name = try town.place(1).id
        let kept = try #require(town.kept.first?.arguments.first)
        guard case .integer(let id) = kept else { return #expect(Bool(false), "no id: \(kept)") }
        #expect(InstanceID(name)?.rawValue != UInt64(bitPattern: id))
        #expect(town.identifiers.identifier(named: name, InstanceTag.self)?.rawValue == UInt64(bitPattern: id))
    }

    /// Ids that were given out before there were such names.
    @Test mutating func idAsItIsStored_isUnderstoodAsEver() throws {
        var instance = try town.place(1)
        let name = instance.id
        instance.id = try #require(town.identifiers.identifier(named: name, InstanceTag.self)).description
        #expect(try town.select(2, instance).instance.id == name)
    }

    @Test mutating func place_tellsFollowersTheSameInstance() throws {
        let instance = try town.place(1)
        let events = town.events()
        #expect(events.map(\.word) == ["entered"])
        #expect(events[0].entered.instance == instance)
        #expect(events[0].entered.movedFrom.isEmpty)
    }

    @Test mutating func place_keepsThePoseBitForBit() throws {
        var pose = WirePose.make(heightMetres: 0.1 + 0.2, scale: 0.333_333_333_333_333_3, anchorID: "abc")
        pose.geopose.position.lat = Ground.here.centre.latitude.nextUp
        pose.geopose.quaternion = .with {
            $0.x = 0.5000001
            $0.y = -0.5
            $0.z = 0.5
            $0.w = -0.5
        }
        pose.accuracy = 1e-17
        pose.anchor.data = Data([0, 255, 1, 128])
        pose.anchor.transform = (0..<16).map { Double($0) / 3 }
        #expect(try town.place(1, pose: pose).pose == pose)
    }

    @Test mutating func instances_haveDifferentIDs() throws {
        let ids = try (1...5).map { try town.place(UInt32($0)).id }
        #expect(Set(ids).count == 5)
    }

    @Test mutating func place_inTheNextCell_isDecidedThere() throws {
        let instance = try town.place(1, at: Ground.here.between(0.6))
        #expect(instance.cell == Ground.here.neighbour.token)
        #expect(town.events().isEmpty)
        #expect(town.events(of: Ground.here.neighbour).count == 1)
    }

    // MARK: Pose (PLC-4)

    static let badPoses: [(String, @Sendable (inout WirePose) -> Void)] = [
        ("no geopose", { $0.clearGeopose() }),
        ("no position", { $0.geopose.clearPosition() }),
        ("no quaternion", { $0.geopose.clearQuaternion() }),
        ("no height", { $0.geopose.position.clearH() }),
        ("no longitude", { $0.geopose.position.clearLon() }),
        ("no w", { $0.geopose.quaternion.clearW() }),
        ("latitude NaN", { $0.geopose.position.lat = .nan }),
        ("latitude beyond the pole", { $0.geopose.position.lat = 90.000_001 }),
        ("longitude infinite", { $0.geopose.position.lon = .infinity }),
        ("longitude beyond 180", { $0.geopose.position.lon = -180.000_1 }),
        ("height NaN", { $0.geopose.position.h = .nan }),
        ("height beyond 100 km", { $0.geopose.position.h = 100_001 }),
        ("zero quaternion", { $0.geopose.quaternion.w = 0 }),
        ("NaN quaternion", { $0.geopose.quaternion.x = .nan }),
        ("huge quaternion", { $0.geopose.quaternion.w = 1e300 }),
        ("quaternion off by a hundredth", { $0.geopose.quaternion.w = 1.01 }),
        ("scale too small", { $0.scale = 0.009_99 }),
        ("scale too large", { $0.scale = 100.01 }),
        ("scale zero", { $0.scale = 0 }),
        ("scale negative", { $0.scale = -1 }),
        ("scale NaN", { $0.scale = .nan }),
        ("accuracy negative", { $0.accuracy = -1 }),
        ("accuracy infinite", { $0.accuracy = .infinity }),
        ("transform of 15", { $0.anchor.transform = Array(repeating: 0, count: 15) }),
        ("transform with NaN", { $0.anchor.transform = Array(repeating: .nan, count: 16) }),
    ]

    @Test(arguments: badPoses.map(\.0))
    func badPose_isRefused(name: String) throws {
        var town = town
        var pose = WirePose.make(scale: 1)
        try #require(Self.badPoses.first { $0.0 == name }).1(&pose)
        let refusal = try town.refusal(.placing("preset:flag", pose))
        #expect(refusal?.code == .badPose)
        #expect(refusal?.component == "placements")
    }

    @Test(arguments: [0.01, 1, 100])
    func scaleWithinItsBounds_isTaken(scale: Double) throws {
        var town = town
        #expect(try town.refusal(.placing("preset:flag", .make(scale: scale))) == nil)
    }

    @Test mutating func anchorBeyondItsBounds_isRefused() throws {
        var pose = WirePose.make(anchorID: String(repeating: "a", count: 257))
        #expect(try town.refusal(.placing("preset:flag", pose))?.code == .invalidField)
        pose = .make(anchorID: "a")
        pose.anchor.data = Data(count: 4_097)
        #expect(try town.refusal(.placing("preset:flag", pose), id: 2)?.code == .invalidField)
        pose.anchor.data = Data(count: 4_096)
        #expect(try town.refusal(.placing("preset:flag", pose), id: 3) == nil)
    }

    // MARK: Object and reach (PLC-2, PLC-4)

    @Test mutating func objectThatIsNotInTheInventory_isRefused() throws {
        #expect(try town.refusal(.placing("preset:unheard-of"))?.code == .objectNotOwned)
    }

    @Test mutating func placeWithoutAPosition_isRefused() throws {
        let nowhere = Sender.make(at: nil)
        #expect(try town.refusal(.placing(), from: nowhere)?.code == .positionRequired)
    }

    @Test mutating func reach_goesThroughTheAir() throws {
        let near = Ground.here.at(north: 60)
        #expect(try town.refusal(.placing("preset:flag", .make(at: near, heightMetres: 79)), id: 1) == nil)
        let refusal = try town.refusal(.placing("preset:flag", .make(at: near, heightMetres: 81)), id: 2)
        #expect(refusal?.code == .tooFar)
        #expect(refusal?.details["distance"] == "101")
        #expect(try town.refusal(.placing("preset:flag", .make(heightMetres: -101)), id: 3)?.code == .tooFar)
        #expect(try town.refusal(.placing("preset:flag", .make(heightMetres: 99_999)), id: 4)?.code == .tooFar)
    }

    @Test(arguments: [(-501.0, false), (-500, true), (9_000, true), (9_001, false), (99_999, false)])
    func placeWithoutOnesOwnHeight_isTakenWhereGroundCanBe(heightMetres: Double, isTaken: Bool) throws {
        var town = town
        let sender = Sender.make(altitudeMetres: nil)
        let refusal = try town.refusal(.placing("preset:flag", .make(heightMetres: heightMetres)), from: sender)
        #expect(refusal?.code == (isTaken ? nil : .tooFar))
    }

    @Test mutating func placeBeyondReach_isRefusedWithDistanceAndLimit() throws {
        let refusal = try town.refusal(.placing("preset:flag", .make(at: Ground.here.at(north: 101), heightMetres: 0)))
        #expect(refusal?.code == .tooFar)
        #expect(refusal?.details["limit"] == "100")
        #expect(refusal?.details["distance"] == "101")
    }

    @Test func placeInARestrictedArea_isRefused_andSoIsAnEdit() throws {
        let area = [(10.0, -20.0), (40, -20), (40, 20), (10, 20)]
            .map { Ground.here.at(east: $0.0, north: $0.1) }
            .map { "\($0.latitude) \($0.longitude)" }.joined(separator: "; ")
        var town = TownBench(settings: .make { $0.placements.restrictedAreas.corners = [area] })
        let (inside, beside) = (Ground.here.at(east: 20), Ground.here.at(east: 5))
        #expect(try town.refusal(.placing("preset:flag", .make(at: inside)))?.code == .restrictedArea)
        #expect(try town.refusal(.placing("preset:flag", .make(at: beside)), id: 2) == nil)
        let instance = try town.place(3)
        #expect(try town.refusal(.editing(instance, to: .make(at: inside)), id: 4)?.code == .restrictedArea)
    }

    @Test mutating func placeJustWithinReach_isTaken() throws {
        #expect(try town.refusal(.placing("preset:flag", .make(at: Ground.here.at(north: 99)))) == nil)
    }

    // MARK: Bodies

    @Test func bodyThatIsNoPlace_isRefused() {
        let field = Request.make(.placing()).kind.field
        let refusal = #expect(throws: Refusal.self) {
            try Features.register.command(field: field, payload: [0xFF, 0xFF, 0xFF])
        }
        #expect(refusal?.code == .badMessage)
    }

    @Test mutating func refusal_leavesNothingBehind() throws {
        _ = try town.refusal(.placing("preset:unheard-of"))
        #expect(town.kept.isEmpty)
        #expect(town.events().isEmpty)
        #expect(town[Ground.here.cell].core.instanceCount == 0)
    }
}

extension WireQuaternion {
    fileprivate static func with(_ change: (inout WireQuaternion) -> Void) -> WireQuaternion {
        var quaternion = WireQuaternion()
        change(&quaternion)
        return quaternion
    }
}
