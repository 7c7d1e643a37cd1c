internal import CairnConfiguration
internal import CairnCore
internal import CairnServer
internal import CairnStore

/// What the state of health is judged by, beside the figures that have an alarm of their own.
struct HealthFigures: Sendable {
    var isServing = true
    /// False at the bound of the backlog.
    var acceptsChanges = true
    var oldestUnsaved = Duration.zero
    /// The greatest level of overload of all loops, 0 to 4.
    var overload = 0
    /// Seconds in a row in which some loop had one.
    var overloadSeconds = 0
    /// Seconds in a row in which some loop's tick was later than `HealthRule.lateTick`.
    var lateSeconds = 0
    var memoryLevel = 0
    var openFiles = 0
    /// 0 = unknown.
    var openFilesMax = 0
    /// Since the newest backup was begun, or since the start where there is none; nil = none is made by itself.
    var backupAge: Duration?
    /// Time between two backups.
    var backupInterval = Duration.zero
    /// Age of the oldest mail or push that waits.
    var oldestMessage = Duration.zero
    /// Shown at the operators' doors in the last minute.
    var wrongCredentials = 0
    /// Free on the disk of the database, of how many bytes; 0 = unknown.
    var diskFreeBytes = 0
    var diskBytes = 0
}

extension HealthFigures {
    /// - Parameter before: has the seconds in a row.
    init(_ figures: ServerFigures, of room: StatsRoom, before: HealthFigures) {
        let configuration = room.context.configuration
        isServing = room.health.isServing
        acceptsChanges = room.context.store.acceptsChanges
        oldestUnsaved = .milliseconds(figures.store.oldestUnsavedMilliseconds)
        overload = figures.greatest("overload")
        overloadSeconds = before.overloadSeconds
        lateSeconds = before.lateSeconds
        memoryLevel = figures.process.memoryLevel.rawValue
        openFiles = figures.process.openFiles
        openFilesMax = figures.process.openFilesMax
        if configuration.backup.hours > 0, configuration.backup.directory != nil {
            backupInterval = .seconds(configuration.backup.hours * 3_600)
            let begun = figures.store.lastBackupAt > .epoch ? figures.store.lastBackupAt : room.started.at
            // A clock that was set back makes no backup old.
            backupAge = max(.zero, figures.at - begun)
        }
        let oldest = [figures.mails.oldest, figures.pushes.oldest].compactMap(\.self).min()
        oldestMessage = oldest.map { max(.zero, figures.at - $0) } ?? .zero
        wrongCredentials = figures.operators.attempts.lately(room.now)
        (diskFreeBytes, diskBytes) = (figures.process.diskFreeBytes, figures.process.diskBytes)
    }

    /// A second has passed.
    mutating func count(_ figures: ServerFigures) {
        overloadSeconds = overload > 0 ? overloadSeconds + 1 : 0
        lateSeconds = figures.greatestDelay > HealthRule.lateTick ? lateSeconds + 1 : 0
    }
}

extension ServerFigures {
    /// The greatest value that a figure of the loops has on any of them.
    fileprivate func greatest(_ name: String) -> Int {
        guard let metric = Self.loopMetrics[name] else { return 0 }
        return shards.map { Int(metric.value($0).amount) }.max() ?? 0
    }

    /// The greatest delay of a loop's last tick.
    fileprivate var greatestDelay: Duration { .microseconds(greatest("delayMicroseconds")) }

    private static let loopMetrics: [String: Metric<ShardReport>] = ShardReport.loopMetrics.reduce(into: [:]) {
        for member in $1.description.members { $0["\(member.name)"] = $1 }
    }
}
