import ArgumentParser
import CairnClient
import Foundation
import Testing

@testable import cairn_crowd

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

    @Test(arguments: ["walk", "stadium", "festival", "commute", "graffiti", "storm", "idle", "chaos"])
    func shippedScenario_isReadAndExplained(name: String) throws {
        let scenario = try Scenario.find(name)
        #expect(scenario.plan.scenario == name && scenario.about.count > 20)
        #expect(Scenario.names.contains(name))
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
    }

    @Test func everyKey_isReadFromAFile() throws {
        for key in ScenarioKey.all {
            var plan = CrowdPlan()
            // A value that is not the default.
            let value = key.name == "format" ? "json" : key.name == "ground" ? "apart" : nil
            let text = value ?? (key.name == "motion" ? "straight" : ["12", "0.5", "2"].first { other($0, key) } ?? "")
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
        let command = try CairnCrowd.parseAsRoot(arguments)
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
        try #require(try CairnCrowd.parseAsRoot(["bench"] + arguments) as? Bench)
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
    }
}
