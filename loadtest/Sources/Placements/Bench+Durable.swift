import CairnTime
import Foundation
import Histogram

/// The durable lane: placements a second, each on disk before it is answered.
extension Bench {
    /// Requests that each person keeps under way unless the command line says otherwise.
    private static let usualInFlight = 16

    func measureDurable(_ page: OutputFile?) async throws {
        var plan = plan(Row(people: people, cells: people, rate: 1))
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
        /// Processor time of a placement on the loops' threads and on the store's.
        let loopsMicroseconds: Double?
        let storeMicroseconds: Double?
        /// What a placement writes to the disk.
        let writtenBytes: Double?

        init(_ report: CrowdReport, inFlight: Int, disk: Latency) {
            durable = report.plan["people"].flatMap { Int($0.text) } ?? 0
            self.inFlight = inFlight
            placementsPerSecond = report.placedPerSecond
            acks = report.acks
            self.disk = disk
            serverCores = report.serverCores
            let rate = max(report.placedPerSecond, 1)
            loopsMicroseconds = report.serverLoopsCores.map { $0 * 1e6 / rate }
            storeMicroseconds = report.serverStoreCores.map { $0 * 1e6 / rate }
            writtenBytes = report.serverWrittenBytesPerSecond.map { $0 / rate }
        }

        var compared: [String: Double?] {
            [
                "placements_per_second": placementsPerSecond, "acks_p50_ms": acks?.p50, "acks_p99_ms": acks?.p99,
                "server_cores": serverCores,
                "server_cpu_us_per_placement": serverCores.map { $0 * 1e6 / max(placementsPerSecond, 1) },
                "loops_us_per_placement": loopsMicroseconds,
                "store_us_per_placement": storeMicroseconds, "disk_bytes_per_placement": writtenBytes,
            ]
        }

        enum CodingKeys: String, CodingKey {
            case durable
            case inFlight = "in_flight"
            case placementsPerSecond = "placements_per_second"
            case acks = "acks_ms"
            case disk = "disk_fsync_ms"
            case serverCores = "server_cores"
            case loopsMicroseconds = "loops_us_per_placement"
            case storeMicroseconds = "store_us_per_placement"
            case writtenBytes = "disk_bytes_per_placement"
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
