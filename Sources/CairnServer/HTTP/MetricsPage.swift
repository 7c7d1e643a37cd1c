internal import CairnStore
internal import CairnWebSocket
internal import Foundation

/// The figures of `/metrics` in Prometheus' text format 0.0.4. Names follow OpenTelemetry's; no label names a user or a
/// cell.
struct MetricsPage {
    private(set) var text = ""

    init(reports: [ShardReport], store: StoreFigures) {
        func sum(_ value: (ShardReport) -> UInt64) -> UInt64 { reports.reduce(0) { $0 + value($1) } }
        func sum(_ value: (ShardReport) -> Int) -> Int { reports.reduce(0) { $0 + value($1) } }

        gauge("cairn_connections", "Open WebSockets.", sum { $0.loop.connections })
        gauge("cairn_people", "Connections with a position.", sum { $0.people })
        gauge("cairn_cells_awake", "Cells in memory.", sum { $0.cells })
        gauge("cairn_instances_awake", "Instances in the cells in memory.", sum { $0.instances })
        gauge("cairn_accounts_awake", "Accounts in memory.", sum { $0.accounts })
        family(
            "cairn_front_end_connections", "gauge", "Open sessions by front end.",
            merged(reports.map(\.connectionsByFrontEnd)).map { ("front_end", $0.key, "\($0.value)") })
        counter("cairn_messages_received_total", "WebSocket messages taken.", sum { $0.loop.messagesReceived })
        counter("cairn_received_bytes_total", "Bytes of those.", sum { $0.loop.bytesReceived })
        counter("cairn_messages_sent_total", "WebSocket messages sent; each is one send.", sum { $0.loop.messagesSent })
        counter("cairn_sent_bytes_total", "Bytes of those.", sum { $0.loop.bytesSent })
        counter("cairn_items_queued_total", "Items put into outboxes.", sum { $0.loop.itemsQueued })
        gauge("cairn_outbox_bytes", "Bytes waiting in outboxes.", sum { $0.loop.bytesQueued })
        counter("cairn_positions_total", "Positions taken.", sum { $0.shard.positions })
        counter(
            "cairn_positions_conflated_total", "Positions that a newer one replaced.", sum { $0.shard.positionsConflated })
        counter("cairn_presence_batches_total", "Presence batches made.", sum { $0.presenceBatches })
        counter("cairn_events_total", "Events published.", sum { $0.events })
        counter("cairn_requests_total", "Requests handed to homes.", sum { $0.shard.requests })
        counter("cairn_replies_total", "Replies given.", sum { $0.shard.replies })
        family(
            "cairn_refusals_total", "counter", "Refusals by code.",
            merged(reports.map(\.shard.refusals)).map { ("code", $0.key, "\($0.value)") })
        family(
            "cairn_closures_total", "counter", "Connections closed by the server, by reason.",
            merged(reports.map(\.shard.closures)).map { ("reason", $0.key, "\($0.value)") }
                + [
                    ("reason", "silent", "\(sum { $0.loop.closedSilent })"),
                    ("reason", "slow_consumer", "\(sum { $0.loop.closedSlow })"),
                ])
        family(
            "cairn_drops_total", "counter", "Items not delivered, by reason.",
            [
                ("reason", "volatile_thinned", "\(sum { $0.loop.volatileThinned })"),
                ("reason", "outbox_full", "\(sum { $0.loop.eventsDropped })"),
            ])
        family(
            "cairn_transport_rejections_total", "counter", "What the transport turned away, by reason.",
            TransportRejection.allCases.map { reason in
                ("reason", "\(reason)", "\(sum { $0.loop.rejections[reason.rawValue] })")
            })
        counter("cairn_resynchronisations_total", "Topics told anew to slow readers.", sum { $0.shard.resynchronised })
        counter("cairn_cell_wakeups_total", "Cells brought back from storage.", sum { $0.shard.wakeUps })
        gauge("cairn_store_backlog_changes", "Changes waiting for the disk.", store.backlogChanges)
        gauge("cairn_store_failing", "1 while the last write failed.", store.isFailing ? 1 : 0)
        counter("cairn_store_commits_total", "Transactions committed.", store.commits)
        counter("cairn_store_changes_total", "Changes committed.", store.changes)
        counter("cairn_store_failures_total", "Writes that failed and were tried again.", store.failures)
        gauge("cairn_process_resident_bytes", "Resident memory.", Self.residentBytes())
    }

    private func merged<Value: AdditiveArithmetic>(_ parts: [[String: Value]]) -> [(key: String, value: Value)] {
        var all: [String: Value] = [:]
        for part in parts { all.merge(part, uniquingKeysWith: +) }
        return all.sorted { $0.key < $1.key }
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
    }

    private mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(value)\n"
    }

    private mutating func family(_ name: String, _ type: String, _ help: String, _ rows: [(String, String, String)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (label, value, figure) in rows { text += "\(name){\(label)=\"\(value)\"} \(figure)\n" }
    }

    private static func residentBytes() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
