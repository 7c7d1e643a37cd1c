internal import CairnGeo
internal import CairnStore
internal import CairnWebSocket

/// The sections of a figures line, each an object; `schema` says what their members mean.
extension WorldFigures {
    func writeTotals(_ rates: Rates, in line: inout JSONLine) {
        line.object("totals") { line in
            writePeople(in: &line)
            line.object("rates") { line in
                for (name, perSecond) in rates.all { line.member(name, perSecond) }
            }
            writeQueues(in: &line)
            writeStore(in: &line)
            writeLoops(in: &line)
            line.counts("drops", drops)
            line.member("refusals", refusals.values.reduce(0, +))
            line.member("closures", closures.values.reduce(0, +))
            writeProcess(in: &line)
        }
    }

    func writePeople(in line: inout JSONLine) {
        line.member("connections", sum { $0.loop.connections })
        line.member("people", sum { $0.people })
        line.member("users", sum { $0.users })
        line.member("guests", sum { $0.guests })
        line.member("arriving", sum { $0.arriving })
        line.member("detached", sum { $0.detached })
        line.member("behind", sum { $0.behind })
        line.counts("byFrontEnd", connectionsByFrontEnd)
        line.member("cells", sum { $0.cells })
        line.member("accounts", sum { $0.accounts })
        line.member("instances", sum { $0.held.instances })
        line.member("subscriptions", sum { $0.held.subscriptions })
    }

    func writeQueues(in line: inout JSONLine) {
        line.object("queues") { line in
            line.member("outboxItems", sum { $0.loop.itemsWaiting })
            line.member("outboxBytes", sum { $0.loop.bytesQueued })
            line.member("unsavedTurns", sum { $0.held.unsaved })
            line.member("waitingForCells", sum { $0.held.waiting })
            line.member("waitingForLoops", sum { $0.load.letters })
            line.member("backlogChanges", store.backlogChanges)
            line.member("oldestUnsavedMilliseconds", Int(store.oldestUnsavedMilliseconds))
            line.member("readsWaiting", store.readsWaiting)
        }
    }

    func writeStore(in line: inout JSONLine) {
        line.object("store") { line in
            line.member("failing", store.isFailing)
            line.member("failures", store.failures)
            line.member("commits", store.commits)
            line.member("changes", store.changes)
            line.member("batchLast", store.batchLast)
            line.member("batchMax", store.batchMax)
            line.member("commitP50Microseconds", store.commitMicroseconds.quantile(0.5))
            line.member("commitP99Microseconds", store.commitMicroseconds.quantile(0.99))
            line.member("commitMaxMicroseconds", store.commitMicroseconds.max)
            line.member("walPages", store.walPages)
            line.member("cacheBytes", store.cacheBytes)
            line.member("changesDropped", store.unitsDropped)
            line.member("damagedRows", store.damagedRows)
            line.counts("damagedTables", store.damagedTables)
            line.list("damagedIndexes", store.damagedIndexes)
            line.list("rebuiltIndexes", store.rebuiltIndexes)
            line.member("fileMoved", store.isFileMoved)
            line.member("backupUnsound", store.lastBackupUnsound)
            line.member("backups", store.backups)
            line.member("backupFailing", store.lastBackupFailed)
            guard store.lastBackupAt > 0 else { return line.null("lastBackup") }
            line.object("lastBackup") { line in
                line.member("at", Int(store.lastBackupAt))
                line.member("bytes", store.lastBackupBytes)
                line.member("microseconds", Int(store.lastBackupMicroseconds))
            }
        }
    }

    func writeLoops(in line: inout JSONLine) {
        line.array("loops") { line in
            for shard in shards {
                line.element { line in
                    line.member("connections", shard.loop.connections)
                    line.member("busy", shard.load.busy)
                    line.member("delayMicroseconds", shard.load.delayMicroseconds)
                    line.member("overload", shard.load.overload)
                    line.member("delayMaxMicroseconds", shard.load.delayMaxMicroseconds)
                    line.member("waiting", shard.load.letters)
                }
            }
        }
    }

    func writeProcess(in line: inout JSONLine) {
        line.object("process") { line in
            line.member("residentBytes", process.residentBytes)
            line.member("memoryUsedBytes", process.memory?.usedBytes ?? 0)
            line.member("memoryLimitBytes", process.memory?.limitBytes ?? 0)
            line.member("memoryLevel", process.memoryLevel.rawValue)
            line.member("busySeconds", process.busySeconds)
            line.member("openFiles", process.openFiles)
            line.member("openFilesMax", process.openFilesMax)
            line.member("threads", process.threads)
        }
    }

    /// What became of everything that was offered to somebody: each sum agrees with its parts (invariant 10).
    func writeAccounts(in line: inout JSONLine) {
        line.object("items") { line in
            line.member("offered", sum { $0.loop.itemsOffered })
            line.member("sent", sum { $0.loop.itemsSent })
            line.member("waiting", sum { $0.loop.itemsWaiting })
            line.member("thinned", sum { $0.loop.volatileThinned })
            line.member("dropped", sum { $0.loop.eventsDropped })
            line.member("superseded", sum { $0.loop.eventsSuperseded })
            line.member("revoked", sum { $0.loop.itemsRevoked })
            line.member("lost", sum { $0.loop.itemsLost })
        }
        line.object("messages") { line in
            line.member("received", sum { $0.loop.messagesReceived })
            line.member("positionsTaken", sum { $0.shard.positions })
            line.member("positionsConflated", sum { $0.shard.positionsConflated })
            line.member("positionsDropped", sum { $0.shard.positionsDropped })
            line.member("cellsHeldBack", sum { $0.shard.cellsHeldBack })
            line.member("requests", sum { $0.shard.requests })
            line.member("posesThinned", sum { $0.done.thinned })
        }
    }

    func writeLatency(in line: inout JSONLine) {
        line.object("requests") { line in
            for (kind, figures) in requests.sorted(by: { $0.key < $1.key }) {
                line.object(named: kind) { line in
                    line.member("count", figures.count)
                    line.member("refused", figures.refused)
                    line.member("p50Microseconds", figures.microseconds(percentile: 50))
                    line.member("p90Microseconds", figures.microseconds(percentile: 90))
                    line.member("p99Microseconds", figures.microseconds(percentile: 99))
                    line.member("p999Microseconds", figures.microseconds(percentile: 99.9))
                    line.member("maxMicroseconds", figures.maxMicroseconds)
                }
            }
        }
    }
}

extension CellRow {
    func write(in line: inout JSONLine) {
        line.member("cell", cell.token)
        line.member("people", people)
        line.member("instances", instances)
        line.member("subscribers", subscribers)
        line.member("eventsPerSecond", eventsPerSecond)
        line.member("turnsPerSecond", turnsPerSecond)
        line.member("bytesPerSecond", bytesPerSecond)
        line.member("unsaved", unsaved)
        line.member("waiting", waiting)
        line.member("queuedBytes", queuedBytes)
        line.member("turnP99Microseconds", turnP99Microseconds)
    }
}
