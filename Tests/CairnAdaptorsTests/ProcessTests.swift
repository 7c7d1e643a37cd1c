import CairnTesting
import Foundation
import Testing

@testable import CairnAdaptors

/// Processes that misbehave harm neither the server nor other calls (EXT-1).
@Suite("Adaptor processes (EXT-1)", .tags(.alone), .timeLimit(.minutes(10)))
struct ProcessTests {
    @Test func call_isAnswered() async throws {
        let bench = try await Workbench.make(Workbench.echo)
        #expect(await bench.send("m1") == .success(.done(["to": "ada@example.org"])))
        #expect(bench.figures.done == 1 && bench.figures.isUp)
        await bench.adaptors.stop()
    }

    @Test func refusalAndFailure_areToldApart() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                if call["id"] == "m1": say({"id": "m1", "refused": {"code": "address_invalid", "message": "no"}})
                else: say({"id": call["id"], "failed": {"message": "no connection"}})
            """)
        #expect(await bench.send("m1") == .success(.refused(code: "address_invalid", message: "no")))
        #expect(await bench.send("m2") == .failure(.failed))
        await bench.adaptors.stop()
    }

    @Test func manyCalls_areAnsweredInAnyOrder() async throws {
        let bench = try await Workbench.make(
            """
            held = []
            for call in calls():
                held.append(call["id"])
                if len(held) == 8:
                    for one in reversed(held): say({"id": one, "done": {"to": one}})
                    held = []
            """)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask { await bench.send("m\(index)") == .success(.done(["to": "m\(index)"])) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answers == 64)
        await bench.adaptors.stop()
    }

    @Test func processThatHangs_failsCallsAtTheTimeLimitAndIsStartedAgain() async throws {
        let bench = try await Workbench.make("time.sleep(600)", timeLimit: .milliseconds(100))
        #expect(await bench.send("m1") == .failure(.timeLimit))
        #expect(
            await soon {
                _ = await bench.send("m2")
                return bench.figures.restarts >= 1
            })
        await bench.adaptors.stop()
    }

    @Test func processThatDies_failsItsCallsAndIsStartedAgain() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                if call["id"] == "m1": os._exit(3)
                say({"id": call["id"], "done": {}})
            """)
        #expect(await bench.send("m1") == .failure(.died))
        #expect(await bench.send("m2") == .success(.done([:])))
        #expect(bench.figures.restarts == 1)
        #expect(bench.log.lines.contains { $0.contains("exit code 3") })
        await bench.adaptors.stop()
    }

    @Test func callsThatWait_surviveTheProcess() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                if call["id"] == "m0": time.sleep(0.2); os._exit(1)
                say({"id": call["id"], "done": {}})
            """, change: { $0.parallelMax = 1 })
        async let first = bench.send("m0")
        #expect(await soon { bench.figures.underWay == 1 })
        #expect(await bench.send("m1") == .success(.done([:])))
        #expect(await first == .failure(.died))
        await bench.adaptors.stop()
    }

    @Test func processThatCannotBeStarted_failsCallsAtTheLimit() async throws {
        let bench = try await Workbench.make(
            "", timeLimit: .milliseconds(200), change: { $0.sources = [.mail: .command(["/nowhere/adaptor"])] })
        #expect(await bench.send("m1") == .failure(.timeLimit))
        #expect(!bench.figures.isUp)
        #expect(bench.log.lines.contains { $0.contains("cannot be started") })
        await bench.adaptors.stop()
    }

    @Test func secondAnswer_isCountedAndHarmsNobody() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                say({"id": call["id"], "done": {"to": "first"}})
                say({"id": call["id"], "done": {"to": "second"}})
            """)
        #expect(await bench.send("m1") == .success(.done(["to": "first"])))
        #expect(await bench.send("m2") == .success(.done(["to": "first"])))
        #expect(await soon { bench.figures.strayLines == 2 })
        #expect(bench.figures.restarts == 0)
        await bench.adaptors.stop()
    }

    @Test func lateAnswer_isCountedAndHarmsNobody() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                if call["id"] == "m1": time.sleep(1.5)
                say({"id": call["id"], "done": {}})
            """, timeLimit: .seconds(1))
        // The first call is in time when the process has started.
        #expect(await soon { await bench.send("m0") == .success(.done([:])) })
        #expect(await bench.send("m1") == .failure(.timeLimit))
        #expect(await soon { bench.figures.strayLines >= 1 })
        #expect(await bench.send("m2") == .success(.done([:])))
        await bench.adaptors.stop()
    }

    @Test func nonsenseAndLongLines_areCountedAndPassedOver() async throws {
        let bench = try await Workbench.make(
            """
            for call in calls():
                print("hello"); print("{}"); print(json.dumps({"id": call["id"], "done": {}, "failed": {}}))
                print("x" * 70000)
                say({"id": call["id"], "done": {}})
            """)
        #expect(await bench.send("m1") == .success(.done([:])))
        #expect(await soon { bench.figures.strayLines == 4 })
        #expect(bench.figures.restarts == 0)
        await bench.adaptors.stop()
    }

    @Test func floodOfNonsense_endsTheProcess() async throws {
        let bench = try await Workbench.make("while True: sys.stdout.write('nonsense\\n' * 1000)")
        #expect(await soon { bench.figures.restarts >= 2 })
        #expect(bench.log.lines.count { $0.contains("its process is ended") } >= 1)
        await bench.adaptors.stop()
    }

    @Test func endlessLine_endsTheProcess() async throws {
        let bench = try await Workbench.make("while True: sys.stdout.write('x' * 100000)")
        #expect(await soon { bench.figures.restarts >= 1 })
        await bench.adaptors.stop()
    }

    @Test func processThatDoesNotRead_blocksNoCallBeyondTheLimit() async throws {
        let bench = try await Workbench.make("time.sleep(600)", timeLimit: .milliseconds(200))
        let text = String(repeating: "x", count: 60_000)
        let began = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    _ = try? await bench.adaptors.call(.mail, .make("m\(index)", text: text))
                }
            }
        }
        #expect(began.duration(to: .now) < .seconds(2))
        #expect(bench.figures.failed[.timeLimit] == 40)
        await bench.adaptors.stop()
    }

    @Test func stderr_isLoggedMaskedAndLimited() async throws {
        let bench = try await Workbench.make(
            """
            sys.stderr.write("no connection for ada@example.org, token abcdefghij0123456789abcdef\\n")
            for number in range(10000): sys.stderr.write("again\\n")
            sys.stderr.flush()
            for call in calls(): say({"id": call["id"], "done": {}})
            """)
        #expect(await bench.send("m1") == .success(.done([:])))
        #expect(bench.log.lines.contains("adaptor mail says: no connection for [address] token [token]"))
        #expect(bench.log.lines.count { $0.contains("again") } < 30)
        await bench.adaptors.stop()
    }

    @Test func environment_isWhatAdaptorsNeed() {
        let own = [
            "PATH": "/bin", "HOME": "/root", "LANG": "C", "TZ": "UTC", "CAIRN_ADAPTOR_HOST": "mail", "EDITOR": "ed",
            "CAIRN_STATS_CREDENTIAL": "secret", "CREDENTIALS_DIRECTORY": "/run/credentials",
        ]
        let names = AdaptorProcess.environment(from: own).keys.map { "\($0)" }
        #expect(Set(names) == ["PATH", "HOME", "LANG", "TZ", "CAIRN_ADAPTOR_HOST"])
    }

    @Test func environmentAndDescriptors_areNotInherited() async throws {
        setenv("CAIRN_STATS_CREDENTIAL", "secret-of-the-server", 1)
        setenv("CAIRN_ADAPTOR_TEST", "for-the-adaptor", 1)
        let bench = try await Workbench.make(
            """
            for call in calls():
                say({"id": call["id"], "done": {
                    "names": " ".join(sorted(os.environ)), "own": os.environ["CAIRN_ADAPTOR_TEST"],
                    "open": " ".join(sorted(n for n in os.listdir("/proc/self/fd")
                        if os.path.exists("/proc/self/fd/" + n) or int(n) < 3)),
                    "group": str(os.getpgrp() == os.getpid())}})
            """)
        guard case .success(.done(let told)) = await bench.send("m1") else {
            Issue.record("no answer")
            return
        }
        // A wrapper of Python may add names of its own.
        let names = told["names", default: ""].split(separator: " ")
        #expect(names.allSatisfy { !$0.hasPrefix("CAIRN_") || $0.hasPrefix("CAIRN_ADAPTOR_") }, "\(names)")
        #expect(told["own"] == "for-the-adaptor")
        #expect(told["open"] == "0 1 2")
        #expect(told["group"] == "True")
        await bench.adaptors.stop()
    }
}
