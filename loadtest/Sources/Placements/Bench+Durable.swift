import CairnTime
import Foundation
import Histogram

/// The durable lane: placements a second, each on disk before it is answered.
extension Bench {
    private static let clients = 64
    /// Requests that each keeps under way unless the command line says otherwise.
    private static let usualInFlight = 16

    func measureDurable(_ page: OutputFile?) async throws {
        var plan = plan(Row(people: Self.clients, cells: Self.clients, rate: 1))
        plan.movingShare = 0
        let inFlight = inFlight ?? Self.usualInFlight
        plan.placesInFlight = inFlight
        let disk = try DiskProbe.measure()
        let report = try await measure(plan) { Durable($0, inFlight: inFlight, disk: disk) }
        try page?.write(ReportPage.html(report))
    }

    private struct Durable: BenchFigures {
        let durable: Int
        let inFlight: Int
        let placementsPerSecond: Double
        /// Time from a request to its answer, in a closed loop. With many requests in flight most of it is queueing.
        let acks: Latency?
        /// The time of the same disk for 4 KiB and an fsync, one after the other.
        let disk: Latency
        let serverCores: Double?

        init(_ report: CrowdReport, inFlight: Int, disk: Latency) {
            durable = report.plan["people"].flatMap { Int($0.text) } ?? 0
            self.inFlight = inFlight
            placementsPerSecond = report.placedPerSecond
            acks = report.acks
            self.disk = disk
            serverCores = report.serverCores
        }

        var compared: [String: Double?] {
            [
                "placements_per_second": placementsPerSecond, "acks_p50_ms": acks?.p50, "acks_p99_ms": acks?.p99,
                "server_cores": serverCores,
            ]
        }

        enum CodingKeys: String, CodingKey {
            case durable
            case inFlight = "in_flight"
            case placementsPerSecond = "placements_per_second"
            case acks = "acks_ms"
            case disk = "disk_fsync_ms"
            case serverCores = "server_cores"
        }
    }
}

/// The time of a write on the disk under the throw-away servers.
enum DiskProbe {
    private static let writes = 200
    private static let bytes = 4_096

    /// Appends and syncs repeatedly.
    static func measure() throws -> Latency {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("cairn-crowd-disk-\(ProcessInfo.processInfo.processIdentifier)").path
        let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(description: "open \(path): \(String(cString: strerror(errno)))") }
        defer {
            close(descriptor)
            unlink(path)
        }
        var times = Histogram<UInt32>(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
        let block = [UInt8](repeating: 7, count: bytes)
        for _ in 0..<writes {
            let before = SocketLoop.now
            guard write(descriptor, block, bytes) == bytes, fsync(descriptor) == 0 else {
                throw Failure(description: "write \(path): \(String(cString: strerror(errno)))")
            }
            times.record(SocketLoop.now.microseconds(since: before))
        }
        return Latency(times)
    }

    /// The disk refused the write.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
