internal import CairnCore
internal import CairnServer
internal import CairnStore

/// The metrics of the process; on `/metrics` they have the names that all Prometheus clients use.
extension ProcessFigures {
    fileprivate typealias Row = Metric<ProcessFigures>

    static let metrics: [Metric<ProcessFigures>] = [
        Row("residentBytes", in: .process, unit: "bytes", "resident memory of the process") { .level($0.residentBytes) }
            .family(.gauge, "process.resident_memory"),
        Row("memoryUsedBytes", in: .process, unit: "bytes", "taken of the nearest limit of memory; 0 = there is none") {
            .level($0.memory?.usedBytes ?? 0)
        }
        .family(.gauge, "cairn.memory.used"),
        Row(
            "memoryLimitBytes", in: .process, unit: "bytes",
            "the nearest limit of memory: overload.memoryMegabytes, the cgroup's or ulimit -v; 0 = there is none"
        ) { .level($0.memory?.limitBytes ?? 0) }
        .family(.gauge, "cairn.memory.limit"),
        Row(
            "memoryLevel", in: .process, unit: "level",
            "0 = enough, 1 = caches are freed, 2 = new connections and changes are refused, 3 = slow connections are "
                + "closed as well"
        ) { .level($0.memoryLevel.rawValue) }
        .family(.gauge, "cairn.memory.level"),
        Row("busySeconds", in: .process, unit: "seconds", "processor time") { .number($0.busySeconds) }
            .family(.counter, "process.cpu"),
        Row("openFiles", in: .process, unit: "descriptors", "open descriptors: connections, sockets, files") {
            .level($0.openFiles)
        }
        .family(.gauge, "process.open_fds"),
        Row("openFilesMax", in: .process, unit: "descriptors", "descriptors that may be open (ulimit -n)") {
            .level($0.openFilesMax)
        }
        .family(.gauge, "process.max_fds"),
        Row("threads", in: .process, unit: "threads", "threads of the process") { .level($0.threads) }
            .family(.gauge, "process.threads"),
        Row("diskFreeBytes", in: .store, unit: "bytes", "free on the disk of the database; 0 = unknown") {
            .level($0.diskFreeBytes)
        }
        .family(.gauge, "cairn.disk.free"),
        Row("diskBytes", in: .store, unit: "bytes", "size of the disk of the database; 0 = unknown") {
            .level($0.diskBytes)
        }
        .family(.gauge, "cairn.disk.size"),
        Row(
            "diskFullSeconds", in: .store, unit: "seconds",
            "until the disk of the database is full, if it goes on filling as in the last day; null = it does not "
                + "fill, or the server runs for less than an hour"
        ) { figures in figures.diskFullSeconds.map { .level($0) } ?? .nothing },
        Row(unit: "seconds", "when the process started, since 1970") { .number($0.startedAt) }
            .family(.gauge, "process.start_time"),
    ]
}
