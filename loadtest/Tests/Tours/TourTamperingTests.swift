import CairnConfiguration
import CairnFeatures
import CairnOperators
import CairnRoot
import CairnTesting
import Foundation
import Testing

@testable import cairn_crowd

/// ENG-3: walkers on a real server, one of whose stops is falsified on its way, as by a server that is built to skip,
/// repeat or swap it.
@Suite("Crowd: tours on a server", .timeLimit(.minutes(2)))
struct TourTamperingTests {
    @Test func realServer_breaksNoRule() async throws {
        let (report, tampering) = try await run(.none)
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(report.done["stops_reached"] ?? 0 > 20 && report.done["runs_completed"] ?? 0 > 0)
        #expect(tampering.done == 0)
    }

    @Test(arguments: [
        (Tampering.Kind.skipStop, "stop_skipped"), (.repeatStop, "stop_repeated"), (.swapStops, "stop_swapped"),
    ])
    func oneStop_toldWrongly_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await run(kind)
        #expect(tampering.done == 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    private func run(_ kind: Tampering.Kind) async throws -> (CrowdReport, Tampering) {
        await Turnstile.shared.enter()
        defer { Turnstile.shared.leave() }
        var plan = CrowdPlan()
        (plan.people, plan.tours, plan.pace, plan.rate) = (12, 3, 50, 12.5)
        (plan.stops, plan.legMetres, plan.bystanders, plan.seconds) = (3, 150, 2, 12)
        (plan.jumpShare, plan.publishEvery) = (0.2, 0)
        return try await ServerBench.serving {
            $0.features.runs.jumpMetresPerSecond = 750
            $0.features.runs.settleSeconds = 0.2
            $0.features.tours.offRouteMetres = 1_000
        } _: { [plan] bench in
            let proxy = try TamperingProxy(serverPort: bench.port, kind)
            let makers = try await TourMakers(plan, url: "ws://127.0.0.1:\(bench.port)/v1") {
                try promote($0, bench)
            }
            let destination = try Destination(endpoint: Endpoint(url: "ws://127.0.0.1:\(proxy.port)/v1"))
            let report = await CrowdRunner.onThread {
                TourCrowd(
                    plan: plan, destination: destination, secure: nil, makers: makers, serverPID: nil,
                    progress: { _ in }
                ).run()
            }
            await makers.end()
            return (report, proxy.stop())
        }
    }

    /// Makes an account a user of an organisation, by the server's stats socket.
    private func promote(_ name: String, _ bench: ServerBench) throws {
        let desk = try OperatorSocket.connect(to: bench.server.entrance.socketPath, seconds: 10)
        defer { close(desk) }
        let line = Array("organisation-add \(name) Walks\n".utf8)
        _ = send(desk, line, line.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(desk, &answer, answer.count, 0)
        let text = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
        guard count > 0, !text.contains("\"error\"") else { throw BenchError("not promoted: \(text)") }
    }
}
