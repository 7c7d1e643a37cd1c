import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// SES-6, SES-7, VIS-10: one consistent stream, whoever joins when, on one loop and on two.
@Suite("Server: the stream", .serialized, .timeLimit(.minutes(10)))
struct StreamTests {
    private static let here = Ground.here.centre

    // MARK: One event

    @Test(arguments: [WireFormat.proto, .json])
    func thing_isSeenByWhoeverStandsNearBy(format: WireFormat) async throws {
        try await ServerBench.serving { server in
            let placer = try await server.client("placer", at: Self.here)
            let viewer = try await server.client("viewer", at: Ground.here.at(east: 20), format: format)
            let instance = try await placer.place(at: Self.here)
            try await viewer.wait(until: "the instance") { $0.instances[instance.id] == instance }
            #expect(viewer.record.faults.isEmpty)
        }
    }

    @Test func placersReplyAndBroadcast_agree() async throws {
        try await ServerBench.serving { server in
            let placer = try await server.client("placer", at: Self.here)
            let instance = try await placer.place(at: Self.here)
            try await placer.wait(until: "the event") { $0.instances[instance.id] == instance }
            #expect(placer.record.topics[instance.cell]?.history.count == 1)
        }
    }

    @Test func whoeverIsFarAway_hearsNothing() async throws {
        try await ServerBench.serving { server in
            let placer = try await server.client("placer", at: Self.here)
            let far = try await server.client("far", at: Ground.here.at(north: 2_000))
            let instance = try await placer.place(at: Self.here)
            // Something that certainly comes later.
            let own = try await far.place(at: Ground.here.at(north: 2_000))
            try await far.wait(until: "the own instance") { $0.instances[own.id] != nil }
            #expect(far.record.instances[instance.id] == nil)
        }
    }

    // MARK: Joining under load

    @Test(arguments: [1, 2])
    func snapshot_isJoinedToTheStreamWithoutAGapWhileOthersPlace(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { server in
            let placers = try await server.clients(4, "placer", at: Self.here)
            async let placing = atOnce(placers.count) { index in
                var placed: [WireInstance] = []
                for step in 0..<40 {
                    let place = Ground.here.at(east: Double(step - 20) * 2, north: Double(index) * 10)
                    placed.append(try await placers[index].place(at: place))
                }
                return placed
            }
            // They join one after another, in the middle of it.
            var viewers: [TestClient] = []
            for index in 0..<10 { viewers.append(try await server.client("viewer\(index)", at: Self.here)) }
            let ids = Set(try await placing.flatMap { $0 }.map(\.id))
            #expect(ids.count == 160)
            for viewer in viewers + placers {
                try await viewer.wait(until: "all instances") { $0.instances.count == 160 }
                #expect(Set(viewer.record.instances.keys) == ids)
                #expect(viewer.record.faults.isEmpty)
                #expect(viewer.record.duplicates.isEmpty)
            }
        }
    }

    @Test(arguments: [1, 2])
    func viewersOfOnePlace_endWithTheSameSetAtTheSameVersions(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { server in
            let people = try await server.clients(5, "person", at: Self.here)
            _ = try await atOnce(people.count) { index in
                let person = people[index]
                for step in 0..<12 {
                    let place = Ground.here.between(Double(step) / 20)
                    let instance = try await person.place(at: place)
                    _ = try await person.ask(.reacting("like", to: instance))
                    // To and fro over the border, so that instances move between cells.
                    let pose = WirePose.make(at: Ground.here.between(0.6 - Double(step) / 20))
                    let edited = try await person.ask(.editing(instance, to: pose))
                    guard case .edited(let now) = edited else { throw BenchError("\(edited)") }
                    _ = try await people[(index + 1) % 5].ask(.reacting("wow", to: now.instance))
                    if step.isMultiple(of: 3) { _ = try await person.ask(.removing(now.instance)) }
                }
            }
            let last = try await server.client("last", at: Self.here)
            let expected = last.record.instances
            #expect(expected.count == 40)
            for person in people {
                try await person.wait(until: "the same state") { $0.instances == expected }
                #expect(person.record.faults.isEmpty)
                #expect(person.record.duplicates.isEmpty)
            }
        }
    }

    // MARK: Crossing borders

    @Test(arguments: [1, 2])
    func walkerAmongPlacers_losesDoublesAndReordersNothing(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { server in
            let ground = Ground.here
            let places = (0...6).map { ground.at(north: Double($0) * 120) }
            var placers: [TestClient] = []
            for (index, place) in places.enumerated() {
                placers.append(try await server.client("placer\(index)", at: place))
            }
            let walker = try await server.client("walker", at: places[0])
            async let placing: [Void] = atOnce(placers.count) { [placers] index in
                for step in 0..<25 {
                    let place = LocalPlane(origin: places[index]).coordinate(east: Double(step), north: 0)
                    let instance = try await placers[index].place(at: place)
                    if step.isMultiple(of: 4) { _ = try await placers[index].ask(.removing(instance)) }
                }
            }
            var crossed: Set<String> = []
            for round in 0..<4 {
                for step in 0...24 {
                    let north = Double(round.isMultiple(of: 2) ? step : 24 - step) * 30
                    crossed.insert(try await walker.move(to: ground.at(north: north)))
                }
            }
            _ = try await placing
            #expect(crossed.count > 4)
            let end = ground.at(north: 0)
            try await walker.stand(at: end)
            let fresh = try await server.client("fresh", at: end)
            let topics = Set(fresh.record.topics.keys)
            let expected = fresh.record.versions(of: topics)
            try await walker.wait(until: "the same state") { $0.versions(of: topics) == expected }
            #expect(!expected.isEmpty)
            #expect(walker.record.faults.isEmpty)
            for placer in placers { #expect(placer.record.faults.isEmpty) }
        }
    }

    @Test func instanceThatMovesOverABorder_isNeverGoneForWhoeverSeesBothCells() async throws {
        try await ServerBench.serving(loops: 2) { server in
            let person = try await server.client("person", at: Ground.here.between(0.5))
            var instance = try await person.place(at: Ground.here.between(0.2))
            for step in 0..<10 {
                let place = Ground.here.between(step.isMultiple(of: 2) ? 0.8 : 0.2)
                guard case .edited(let edited) = try await person.ask(.editing(instance, to: .make(at: place))) else {
                    throw BenchError("not moved")
                }
                instance = edited.instance
            }
            let final = instance
            try await person.wait(until: "the last step") { record in
                record.duplicates.isEmpty && record.instances[final.id]?.version == final.version
            }
            #expect(person.record.faults.isEmpty)
            // Entered the new cell before it moved out of the old one, each time.
            let order = person.record.items.compactMap { item -> String? in
                switch item.event.change {
                case .entered: "entered"
                case .movedOut: "movedOut"
                default: nil
                }
            }
            #expect(order == ["entered"] + Array(repeating: ["entered", "movedOut"], count: 10).flatMap { $0 })
        }
    }

    @Test func whateverLeavesTheView_isUnfollowed() async throws {
        try await ServerBench.serving { server in
            let walker = try await server.client("walker", at: Self.here)
            let before = Set(walker.record.topics.keys)
            try await walker.stand(at: Ground.here.at(north: 3_000))
            try await walker.wait(until: "the old view to go") { before.isDisjoint(with: $0.topics.keys) }
            #expect(walker.record.faults.isEmpty)
        }
    }
}
