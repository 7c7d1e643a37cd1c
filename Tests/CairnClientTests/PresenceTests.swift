import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Testing

/// SES-8, VIS-9: who is around, read in place.
@Suite struct PresenceTests {
    private let cell: CellID

    init() throws { cell = try #require(CellID(token: "487604c43")) }

    private func record(_ slot: UInt16, east: Int16 = 0, north: Int16 = 0, up: Int16 = 0, age: UInt8 = 0) -> PoseRecord
    {
        PoseRecord(
            slot: slot, east: east, north: north, up: up, orientation: Quaternion.identity.packed, age: age, accuracy: 9
        )
    }

    @Test func batch_namesPeopleAndPlacesThem() throws {
        var script = Script.live()
        let events = script.receive(
            .presence(
                cell, keyframe: true, joined: [(3, "ada"), (9, "bob")],
                poses: [record(3, east: 1_000, north: -500, up: 150, age: 25)], people: 7))
        let change = try #require(events.presence)
        #expect(Set(change.joined.map(\.id)) == ["ada", "bob"])
        #expect(change.peopleCount == 7)
        let pose = try #require(change.moved.first?.pose)
        let (east, north) = LocalPlane(origin: cell.centre).metres(of: pose.coordinate)
        #expect(abs(east - 10) < 0.001 && abs(north + 5) < 0.001)
        #expect(abs(try #require(pose.heightMetres) - 41.5) < 0.001)
        #expect(pose.accuracyMetres == 4.5)
        #expect(pose.at == script.now - .milliseconds(100))
        #expect(script.core.rosters[cell]?.people.count == 2)
    }

    @Test func roughPose_hasNeitherHeightNorOrientation() throws {
        var script = Script.live()
        var rough = record(3, east: 1_000)
        rough.orientation = PoseRecord.orientationUntold
        let events = script.receive(.presence(cell, keyframe: true, joined: [(3, "ada")], poses: [rough]))
        let pose = try #require(events.presence?.moved.first?.pose)
        #expect(pose.heightMetres == nil && pose.orientation == nil)
    }

    /// A short batch names its cell by a number, and leaves out what the batches before it have told.
    @Test func shortBatch_isReadByTheBatchesBeforeIt() throws {
        var script = Script.live()
        _ = script.receive(.presence(cell, keyframe: true, joined: [(3, "ada")], poses: [record(3)]))
        let short = WireItem.short(cell, poses: [record(3, east: 1_000, up: 150)])
        let pose = try #require(script.receive(short).presence?.moved.first?.pose)
        #expect(abs(LocalPlane(origin: cell.centre).metres(of: pose.coordinate).east - 10) < 0.001)
        #expect(abs(try #require(pose.heightMetres) - 41.5) < 0.001)
        let higher = script.receive(.short(cell, poses: [record(3, up: 150)], base: -20))
        #expect(abs(try #require(higher.presence?.moved.first?.pose?.heightMetres) + 18.5) < 0.001)
        let next = script.receive(.short(cell, poses: [record(3, up: 150)]))
        #expect(abs(try #require(next.presence?.moved.first?.pose?.heightMetres) + 18.5) < 0.001)
    }

    @Test func shortBatch_ofACellThatWasNeverTold_isAViolation() {
        var script = Script.live()
        #expect(script.receive(.short(cell, poses: [record(3)])).violations == [.unreadable])
    }

    @Test(arguments: [WireFormat.proto, .json])
    func hello_asksForShortBatches_inTheBinaryFormAlone(format: WireFormat) throws {
        var core = ClientCore(profile: ClientProfile(), format: format, seed: 1)
        core.connectionOpened(now: .epoch)
        let hello = try #require(core.takeOutgoing().first)
        let envelope = try hello.withUnsafeBytes { try ClientEnvelopeDecoder.decode($0, format: format) }
        #expect(try WireBody.decode(WireHello.self, from: envelope.payload).shortPoses == (format == .proto))
    }

    @Test func numbersOfTheJSONForm_areReadLikeRecords() throws {
        var script = Script.live(format: .json)
        let events = script.receive(
            .presence(
                cell, keyframe: true, joined: [(3, "ada"), (9, "bob")],
                livePoses: [.exact(3, at: place(east: 10, north: -5)), .rough(9, at: place(east: 20, north: 0))]))
        let moved = try #require(events.presence?.moved)
        try #require(moved.count == 2)
        let (exact, rough) = (try #require(moved[0].pose), try #require(moved[1].pose))
        let (east, north) = LocalPlane(origin: cell.centre).metres(of: exact.coordinate)
        #expect(abs(east - 10) < 0.001 && abs(north + 5) < 0.001)
        #expect(abs(try #require(exact.heightMetres) - 41.5) < 0.001)
        #expect(try #require(exact.orientation).isSameRotation(as: .identity))
        #expect(exact.accuracyMetres == 4.5 && exact.at == script.now - .milliseconds(100))
        #expect(abs(LocalPlane(origin: cell.centre).metres(of: rough.coordinate).east - 20) < 0.001)
        #expect(rough.heightMetres == nil && rough.orientation == nil && rough.accuracyMetres == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func placeThatCannotBe_isAViolation(_ degrees: Double) {
        var script = Script.live(format: .json)
        var pose = WireLivePose.exact(3, at: cell.centre)
        pose.lat = degrees
        let events = script.receive(.presence(cell, keyframe: true, joined: [(3, "ada")], livePoses: [pose]))
        #expect(events.violations == [.unreadable])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func numbersBeyondARecord_areCutOff(_ number: Double) throws {
        var script = Script.live(format: .json)
        var pose = WireLivePose.exact(3, at: cell.centre)
        (pose.h, pose.accuracy, pose.quaternion.x) = (number, number, number)
        pose.age = .max
        let events = script.receive(.presence(cell, keyframe: true, joined: [(3, "ada")], livePoses: [pose]))
        let read = try #require(events.presence?.moved.first?.pose)
        #expect(try abs(#require(read.heightMetres)) <= 40 + 327.68)
        #expect(try #require(read.accuracyMetres) <= 127)
    }

    private func place(east: Double, north: Double) -> Coordinate {
        LocalPlane(origin: cell.centre).coordinate(east: east, north: north)
    }

    @Test func slot_thatIsLeftAndTakenInOneBatch_isSomebodyElse() throws {
        var script = Script.live()
        _ = script.receive(.presence(cell, joined: [(1, "ada")]))
        let change = try #require(script.receive(.presence(cell, joined: [(1, "bob")], left: [1])).presence)
        #expect(change.left.map(\.id) == ["ada"] && change.joined.map(\.id) == ["bob"])
    }

    @Test func keyframe_tellsOnlyTheDifference() throws {
        var script = Script.live()
        _ = script.receive(.presence(cell, joined: [(1, "ada"), (2, "bob")], poses: [record(1)]))
        let change = try #require(
            script.receive(.presence(cell, keyframe: true, joined: [(1, "ada"), (3, "cyd")], poses: [record(3)]))
                .presence)
        #expect(change.left.map(\.id) == ["bob"] && change.joined.map(\.id) == ["cyd"])
        #expect(script.core.rosters[cell]?.people.first { $0.id == "ada" }?.pose != nil)
    }

    @Test func keyframeThatGivesASlotToAnother_tellsThatTheFirstHasLeft() throws {
        var script = Script.live()
        _ = script.receive(.presence(cell, joined: [(1, "ada")]))
        let change = try #require(script.receive(.presence(cell, keyframe: true, joined: [(1, "bob")])).presence)
        #expect(change.left.map(\.id) == ["ada"] && change.joined.map(\.id) == ["bob"])
    }

    @Test func joinAndLeaveToldAgain_isHarmless() {
        var script = Script.live()
        _ = script.receive(.presence(cell, keyframe: true, joined: [(1, "ada")]))
        let events = script.receive(.presence(cell, joined: [(1, "ada")], left: [7]))
        #expect(events.presence?.joined.isEmpty == true && events.presence?.left.isEmpty == true)
        #expect(events.violations.isEmpty)
    }

    @Test func pose_ofAnUnknownSlot_isAViolation() {
        var script = Script.live()
        #expect(script.receive(.presence(cell, poses: [record(4)])).violations == [.unknownSlot])
    }

    @Test func unfollowing_forgetsThePeopleOfTheCell() {
        var script = Script.live()
        _ = script.receive(.snapshot(cell.token), .presence(cell, joined: [(1, "ada")]))
        _ = script.receive(.unfollowed(cell.token))
        #expect(script.core.rosters[cell] == nil)
    }

    /// The guests' topic of a cell ends when the person's has begun.
    @Test func anotherTopicOfTheCell_keepsItsPeople() {
        var script = Script.live()
        let guests = cell.token + "/v0000000000000"
        _ = script.receive(.snapshot(guests), .snapshot(cell.token), .presence(cell, joined: [(1, "ada")]))
        _ = script.receive(.unfollowed(guests))
        #expect(script.core.rosters[cell] != nil)
        _ = script.receive(.unfollowed(cell.token))
        #expect(script.core.rosters[cell] == nil)
    }

    @Test func rawMode_handsBatchesOutAndKeepsNothing() {
        var script = Script.live(presence: .raw)
        let items: [WireItem] = [
            .presence(
                cell, joined: [(300, "ada")], left: [4, 400], poses: [record(300, east: 5), record(2)], people: 3)
        ]
        let message = ServerItemEncoder.message(
            items.map { ServerItemEncoder.encode($0, format: .proto) }, format: .proto)
        var slots: [UInt16] = []
        var left: [UInt16] = []
        var names: [String] = []
        let events = message.withUnsafeBytes { bytes in
            script.core.receive(bytes, now: .epoch) { batch in
                #expect(batch.cell == cell && batch.stepMetres == 0.01 && batch.baseHeightMetres == 40)
                #expect(batch.peopleCount == 3 && !batch.isKeyframe && batch.poseCount == 2)
                batch.forEachPose { slots.append($0.slot) }
                batch.forEachLeft { left.append($0) }
                batch.forEachJoined { names.append("\($0.slot) \($0.id) \($0.name)") }
            }
        }
        #expect(events.isEmpty && script.core.rosters.isEmpty)
        #expect(slots == [300, 2] && left == [4, 400] && names == ["300 ada name of ada"])
    }

    /// Load bots judge what the core would not accept, too.
    @Test(arguments: [WireFormat.proto, .json])
    func itemsOtherThanBatches_areHandedOutAsTheyCame(format: WireFormat) {
        var script = Script.live(format: format, presence: .raw)
        let items: [WireItem] = [
            .presence(cell, joined: [(1, "ada")]), .snapshot(cell.token), .unfollowed("a topic that is not in view"),
        ]
        let message = ServerItemEncoder.message(
            items.map { ServerItemEncoder.encode($0, format: format) }, format: format)
        var heard: [WireItem] = []
        _ = message.withUnsafeBytes { bytes in
            script.core.receive(bytes, now: .epoch, onItem: { heard.append($0) })
        }
        #expect(heard == Array(items.dropFirst()))
    }

    @Test(
        arguments: [
            [0x0A, 0x02, 0x22, 0x05], [0x0A, 0x03, 0x22, 0x01, 0x0A], [0x0A, 0x04, 0x22, 0x02, 0x0A, 0x05],
            [0x0A, 0x04, 0x22, 0x02, 0x2A, 0x00], [0x0A, 0x08, 0x22, 0x06, 0x0A, 0x01, 0x34, 0x2A, 0x01, 0x00],
        ] as [[UInt8]])
    func batch_thatIsMalformed_isAViolation(bytes: [UInt8]) {
        var script = Script.live()
        #expect(bytes.withUnsafeBytes { script.core.receive($0, now: .epoch) }.violations == [.unreadable])
    }
}

extension WireLivePose {
    fileprivate static func rough(_ slot: UInt32, at place: Coordinate) -> WireLivePose {
        var pose = WireLivePose()
        pose.slot = slot
        pose.lat = place.latitude
        pose.lon = place.longitude
        return pose
    }

    fileprivate static func exact(_ slot: UInt32, at place: Coordinate) -> WireLivePose {
        var pose = rough(slot, at: place)
        pose.h = 41.5
        pose.quaternion.w = 1
        pose.age = 100
        pose.accuracy = 4.5
        return pose
    }
}
