import CairnTesting
import CairnTime
import Foundation
import Testing

@testable import CairnAdaptors

@Suite("Calls of adaptors (EXT-1)", .tags(.alone), .timeLimit(.minutes(10)))
struct DeskTests {
    @Test func callBeyondTheBound_failsAtOnce() async throws {
        let bench = try await Workbench.make(
            "time.sleep(600)", timeLimit: .milliseconds(400),
            change: {
                $0.waitingMax = 2
                $0.parallelMax = 1
            })
        let outcomes = await withTaskGroup(of: Result<AdaptorAnswer, AdaptorFailure>.self) { group in
            for index in 0..<20 { group.addTask { await bench.send("m\(index)") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let full = outcomes.count { $0 == .failure(.queueFull) }
        #expect(full >= 17 && full <= 18)
        #expect(bench.figures.failed[.queueFull] == UInt64(full))
        await bench.adaptors.stop()
    }

    @Test func secondCallOfOneId_isRefusedWhileTheFirstIsUnderWay() async throws {
        let bench = try await Workbench.make("time.sleep(600)", timeLimit: .milliseconds(300))
        async let first = bench.send("m1")
        #expect(await soon { bench.figures.underWay + bench.figures.waiting == 1 })
        #expect(await bench.send("m1") == .failure(.repeated))
        #expect(await first == .failure(.timeLimit))
        await bench.adaptors.stop()
    }

    @Test func callThatFitsNoLine_isUnsendable() async throws {
        let bench = try await Workbench.make(Workbench.echo)
        #expect(await bench.send("m1", to: String(repeating: "x", count: 70_000)) == .failure(.unsendable))
        #expect(await bench.send("an id") == .failure(.unsendable))
        await bench.adaptors.stop()
    }

    @Test func adaptorThatIsOff_failsCallsAtOnce() async throws {
        let bench = try await Workbench.make("", change: { $0.sources = [.mail: .off] })
        #expect(await bench.send("m1") == .failure(.off))
        await bench.adaptors.stop()
        #expect(await bench.send("m2") == .failure(.stopped))
    }

    @Test func otherCommand_replacesTheProcess() async throws {
        let bench = try await Workbench.make(Workbench.echo)
        #expect(await bench.send("m1") == .success(.done(["to": "ada@example.org"])))
        let path = bench.folder.path + "/other.sh"
        try "while read -r line; do echo '{\"id\":\"m2\",\"done\":{\"by\":\"other\"}}'; done\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        var settings = bench.settings
        settings.sources[.mail] = .command(["/bin/sh", path])
        await bench.adaptors.apply(settings, logger: bench.log.logger)
        #expect(await bench.send("m2") == .success(.done(["by": "other"])))
        await bench.adaptors.stop()
    }

    @Test func stop_closesStdinAndKillsOnlyWhatStays() async throws {
        let polite = try await Workbench.make(
            """
            for call in calls(): say({"id": call["id"], "done": {}})
            open(sys.argv[0] + ".end", "w").write("closed")
            """)
        #expect(await polite.send("m1") == .success(.done([:])))
        await polite.adaptors.stop()
        #expect(polite.text(of: "adaptor.py.end") == "closed")

        let stubborn = try await Workbench.make(
            """
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for call in calls(): say({"id": call["id"], "done": {"pid": str(os.getpid())}})
            time.sleep(600)
            """)
        guard case .success(.done(let told)) = await stubborn.send("m1"), let pid = told["pid"].flatMap(Int32.init)
        else {
            Issue.record("no answer")
            return
        }
        await stubborn.adaptors.stop()
        #expect(kill(pid, 0) != 0)
    }

    @Test func processThatIsDownForAMinute_raisesTheAlarm() {
        var figures = AdaptorFigures()
        #expect(!figures.isDownLong)
        figures.downSince = .now - .seconds(59)
        #expect(!figures.isDownLong)
        figures.downSince = .now - .seconds(61)
        #expect(figures.isDownLong)
        figures.isUp = true
        #expect(!figures.isDownLong)
    }

    @Test func pausesBetweenStarts_grow() {
        var pause = RestartPause(first: .seconds(1), longest: .seconds(60))
        let pauses = (0..<8).map { _ in pause.next() }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
        pause.reset()
        #expect(pause.next() == .seconds(1))
    }
}
