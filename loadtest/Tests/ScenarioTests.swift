import ArgumentParser
import CairnClient
import CairnTime
import CairnWire
import Foundation
import Testing

@testable import CairnCrowd

@Suite struct ScenarioTests {
    private func read(_ text: String) throws -> Scenario { try Scenario(name: "test", bytes: Array(text.utf8)) }

    private func complaint(_ text: String) -> String {
        do {
            _ = try read(text)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func shippedScenarios_areReadAndExplained() throws {
        #expect(Scenario.names.count >= 13)
        for name in Scenario.names {
            let scenario = try Scenario.find(name)
            #expect(scenario.plan.scenario == name && scenario.about.count > 20)
        }
    }

    /// Each feature with activities of its own has a scenario in which people do them.
    @Test(arguments: [("circles", "Gathering"), ("onlookers", "Looking"), ("square", "Square")])
    func scenariosOfFeatures_haveTheirActivities(name: String, feature: String) throws {
        let plan = try Scenario.find(name).plan
        let found = try #require(CrowdFeatures.all.first { "\($0)" == feature })
        #expect(found.activities.contains { $0.pace(plan) != .never })
    }

    @Test func tour_hasWalkersOfTours() throws {
        #expect(try Scenario.find("tour").plan.tours > 0)
    }

    @Test func scenarios_doWhatTheyAreNamedFor() throws {
        let stadium = try Scenario.find("stadium").plan
        #expect(stadium.people >= 2_000 && stadium.cellCount == 1)
        let festival = try Scenario.find("festival").plan
        #expect(festival.cellCount >= 10 && festival.people / festival.cellCount >= 100)
        let commute = try Scenario.find("commute").plan
        #expect(commute.ground == .strip && commute.speedLeast == 1.4 && commute.speedMost == 15)
        #expect(try Scenario.find("graffiti").plan.placesAtOnce > 1)
        let storm = try Scenario.find("storm").plan
        #expect(storm.stormEvery > 0 && storm.stormShare == 1)
        #expect(try Scenario.find("idle").plan.movingShare == 0)
        let chaos = try Scenario.find("chaos").plan
        #expect(chaos.cutEvery > 0 && chaos.slowShare > 0)
        // The rules on hidden people and on quotas need people who hide, or who exceed the quotas.
        #expect(try Scenario.find("walk").plan.sharingShare < 1 && chaos.sharingShare < 1)
        #expect(try Scenario.find("graffiti").plan.greedyShare > 0)
    }

    @Test func everyKey_isReadFromAFile() throws {
        for key in ScenarioKey.all {
            var plan = CrowdPlan()
            // A value that is not the default.
            let value = ["format": "json", "ground": "apart", "at": "45.5,-73.57"][key.name]
            let others = key.name == "motion" ? ["straight"] : ["14", "0.5", "2", "0.25", "75"]
            let text = value ?? others.first { other($0, key) } ?? ""
            #expect(key.write(&plan, text), "\(key.name)")
            let read = try read("speedMost: 50\n" + (key.name == "speedMost" ? "" : "\(key.name): \(text)\n"))
            if key.name != "speedMost" { #expect(key.read(read.plan) == key.read(plan), "\(key.name)") }
            #expect(key.read(plan) != key.read(CrowdPlan()), "\(key.name)")
        }
    }

    private func other(_ text: String, _ key: ScenarioKey) -> Bool {
        var plan = CrowdPlan()
        return key.write(&plan, text) && key.read(plan) != key.read(CrowdPlan())
    }

    @Test func unknownKey_namesTheNearest() {
        #expect(complaint("poeple: 10\n").contains("unknown key poeple; the nearest is people"))
        #expect(complaint("placeEvry: 1\n").contains("the nearest is placeEvery"))
        #expect(complaint("zzzzzzzzzzzz: 1\n").contains("unknown key zzzzzzzzzzzz ("))
    }

    @Test func valueOutOfBounds_namesTheKeyAndWhatItWants() {
        #expect(complaint("people: 0\n") == "people: got 0, wants a whole number from 1 to 20000")
        #expect(complaint("rate: fast\n") == "rate: got fast, wants a number from 0.01 to 100")
        #expect(complaint("ground: moon\n") == "ground: got moon, wants one of strip, apart")
        #expect(complaint("speedLeast: 9\n").contains("speedLeast"))
        // Smaller than the steps of heights on the wire.
        #expect(complaint("cellLevel: 12\n") == "cellLevel: got 12, wants a whole number from 13 to 20")
        #expect(complaint("placeEvery: 1e-18\n").contains("wants 0, or a number from 0.01 to 86400"))
        #expect(complaint("people: [300]\n") == "people: got no single value, wants a whole number from 1 to 20000")
    }

    @Test func unknownScenario_namesTheNearest() {
        #expect {
            _ = try Scenario.find("stadum")
        } throws: {
            "\($0)".contains("the nearest is stadium")
        }
    }

    @Test func file_isReadByItsPath() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "crowd-\(UUID().uuidString).yaml").path
        try "people: 7\nrate: 0.5\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let plan = try Scenario.find(path).plan
        #expect(plan.people == 7 && plan.rate == 0.5 && plan.placeEvery == CrowdPlan().placeEvery)
    }

    // MARK: Command line

    private func plan(_ arguments: String...) throws -> CrowdPlan {
        let command = try CrowdCommand.parseAsRoot(arguments)
        return try #require(command as? Run).plan()
    }

    @Test func nameOfAScenario_isACommand() throws {
        #expect(try plan("walk", "--people", "20", "--for", "2m").summary.hasPrefix("walk: 20 people"))
        #expect(try plan("run", "stadium").people == 2_000)
        #expect(try plan().scenario == "walk")
    }

    @Test func commandLine_beatsTheFile() throws {
        let plan = try plan("chaos", "--for", "5s", "--seed", "9", "--with", "cutEvery=3", "--rate", "4")
        #expect(plan.seconds == 5 && plan.seed == 9 && plan.cutEvery == 3 && plan.rate == 4 && plan.slowShare > 0)
        #expect(throws: (any Error).self) { try self.plan("chaos", "--with", "cutEvry=3") }
        #expect(throws: (any Error).self) { try self.plan("chaos", "--people", "0") }
    }

    // MARK: Seed

    @Test func sameSeed_givesTheSameWays() throws {
        func ways(_ seed: UInt64) -> [String] {
            var plan = CrowdPlan()
            plan.seed = seed
            let areas = plan.areas
            return (0..<20).flatMap { index in
                let bot = Bot(
                    index: index, name: "bot", area: areas[0], plan: plan,
                    random: SeededGenerator(seed: plan.seed).branch(UInt64(index)))
                return (0..<50).map { _ in
                    bot.walk(seconds: 0.5)
                    return "\(bot.walker.coordinate) \(bot.pause(upTo: 10))"
                }
            }
        }
        #expect(ways(5) == ways(5))
        #expect(ways(5) != ways(6))
    }

    @Test func sameSeed_givesTheSameCuts_howeverFarABotHasWalked() {
        func cuts(steps: Int) -> [Duration] {
            let bot = Bot.make()
            return (0..<5).map { _ in
                for _ in 0..<steps { bot.walk(seconds: 0.5) }
                return bot.cutPause(upTo: 20)
            }
        }
        #expect(cuts(steps: 1) == cuts(steps: 3))
        #expect(Set(cuts(steps: 1)).count > 1)
    }

    @Test func placeThatTheServerKnows_isTheLastThatItWasSent() {
        let bot = Bot.make()
        bot.tell(height: 40)
        let told = bot.told
        bot.walk(seconds: 10)
        #expect(told != nil && bot.told == told && bot.walker.coordinate != told)
    }

    // MARK: Documents

    @Test func readme_explainsEveryKey() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        for key in ScenarioKey.all { #expect(text.contains(key.row), "missing: \(key.row)") }
        for name in Scenario.names { #expect(text.contains("`\(name)`"), "missing: \(name)") }
    }
}

@Suite struct BenchTests {
    private func bench(_ arguments: String...) throws -> Bench {
        try #require(try CrowdCommand.parseAsRoot(["bench"] + arguments) as? Bench)
    }

    @Test func growth_spansPeopleAndCells() throws {
        let rows = try #require(try bench("--growth").growthRows)
        #expect(rows.map(\.people).min() == 100 && rows.map(\.people).max() == 10_000)
        #expect(rows.map(\.cells).min() == 1 && rows.map(\.cells).max() == 1_000)
        let chosen = try #require(try bench("--growth", "--sizes", "50x2,70x1", "--rate", "4").growthRows)
        #expect(chosen.map(\.people) == [50, 70] && chosen.map(\.rate) == [4, 4])
        #expect(throws: (any Error).self) { try bench("--growth", "--sizes", "50") }
    }

    @Test func bench_measuresOneThingAtATime() {
        #expect(throws: (any Error).self) { try bench() }
        #expect(throws: (any Error).self) { try bench("--few", "--durable") }
        #expect(throws: (any Error).self) { try bench("--joins", "0") }
        for time in ["-5s", "0", "1e300", "nan", "soon"] {
            #expect(throws: (any Error).self) { try bench("--few", "--for=\(time)") }
        }
        #expect(throws: (any Error).self) { try bench("--few", "--warm-up=-1s") }
        #expect(throws: Never.self) { try bench("--few", "--for=5s", "--warm-up=0s") }
    }
}

extension Bot {
    /// A bot in one cell.
    static func make(_ change: (inout CrowdPlan) -> Void = { _ in }) -> Bot {
        var plan = CrowdPlan()
        plan.cells = 1
        change(&plan)
        return Bot(
            index: 0, name: "bot", area: plan.areas[0], plan: plan,
            random: SeededGenerator(seed: plan.seed).branch(0))
    }

    /// Gives the bot a welcome with these limits.
    func welcome(_ change: (inout WireLimits) -> Void) {
        core.connectionOpened(now: .epoch)
        var item = WireItem()
        item.reply.id = 1
        item.reply.welcome.role = "user"
        item.reply.welcome.limits.reach = 100
        change(&item.reply.welcome.limits)
        _ = ServerItemEncoder.encode(item, format: .proto).withUnsafeBytes { core.receive($0, now: .epoch) }
    }
}
