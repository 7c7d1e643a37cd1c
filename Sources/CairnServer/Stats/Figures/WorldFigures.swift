internal import CairnStore
internal import CairnWebSocket

/// What all shards, the store and the process say, added up.
struct WorldFigures: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    var at: Int64
    let shards: [ShardReport]
    let store: StoreFigures
    let process: ProcessFigures
    /// By the field number of their kind in the envelope.
    let kinds: [UInt32: String]

    func sum(_ value: (ShardReport) -> Int) -> Int { shards.reduce(0) { $0 + value($1) } }
    func sum(_ value: (ShardReport) -> UInt64) -> UInt64 { shards.reduce(0) { $0 + value($1) } }

    func sums(_ counts: (ShardReport) -> [String: UInt64]) -> [String: UInt64] {
        shards.reduce(into: [:]) { $0.merge(counts($1), uniquingKeysWith: +) }
    }

    var connectionsByFrontEnd: [String: UInt64] {
        sums { $0.connectionsByFrontEnd.mapValues { UInt64($0) } }
    }

    /// Requests by the name of their kind.
    var requests: [String: RequestFigures] {
        var merged: [String: RequestFigures] = [:]
        for shard in shards {
            for (field, figures) in shard.shard.requestTimes {
                merged[kinds[field] ?? "unknown", default: RequestFigures()].add(figures)
            }
        }
        return merged
    }

    var refusals: [String: UInt64] { sums { $0.shard.refusals } }

    /// Connections that the server ended, by reason.
    var closures: [String: UInt64] {
        var closures = sums { $0.shard.closures }
        closures["silent", default: 0] += sum { $0.loop.closedSilent }
        closures["slow_consumer", default: 0] += sum { $0.loop.closedSlow }
        return closures
    }

    /// What was offered to a connection and did not reach it, by reason.
    var drops: [String: UInt64] {
        [
            "volatile_thinned": sum { $0.loop.volatileThinned },
            "outbox_full": sum { $0.loop.eventsDropped },
            "resynchronising": sum { $0.loop.eventsSuperseded },
            "connection_lost": sum { $0.loop.itemsLost },
        ]
    }

    /// What the transport turned away, by reason.
    var transportRejections: [String: UInt64] {
        var rejections: [String: UInt64] = [:]
        for reason in TransportRejection.allCases {
            rejections["\(reason)"] = sum { $0.loop.rejections[reason.rawValue] }
        }
        return rejections
    }

    /// What has been counted since the start, from which rates are made.
    var counts: Counts {
        Counts(
            messagesIn: sum { $0.loop.messagesReceived }, messagesOut: sum { $0.loop.messagesSent },
            bytesIn: sum { $0.loop.bytesReceived }, bytesOut: sum { $0.loop.bytesSent },
            items: sum { $0.loop.itemsSent }, positions: sum { $0.shard.positions }, events: sum { $0.events },
            requests: sum { $0.shard.requests }, refusals: refusals.values.reduce(0, +),
            drops: drops.values.reduce(0, +), commits: store.commits, changes: store.changes)
    }

    struct Counts: Sendable {
        var messagesIn: UInt64 = 0
        var messagesOut: UInt64 = 0
        var bytesIn: UInt64 = 0
        var bytesOut: UInt64 = 0
        var items: UInt64 = 0
        var positions: UInt64 = 0
        var events: UInt64 = 0
        var requests: UInt64 = 0
        var refusals: UInt64 = 0
        var drops: UInt64 = 0
        var commits: UInt64 = 0
        var changes: UInt64 = 0
    }
}

/// How much a second, over the last second or so.
struct Rates: Sendable {
    let names: [StaticString]
    let values: [Double]

    subscript(_ name: String) -> Double {
        zip(names, values).first { "\($0.0)" == name }?.1 ?? 0
    }

    static let none = Rates(from: WorldFigures.Counts(), to: WorldFigures.Counts(), seconds: 1)

    init(from old: WorldFigures.Counts, to new: WorldFigures.Counts, seconds: Double) {
        names = Self.counted.map(\.0)
        values = Self.counted.map { _, value in Double(value(new) - min(value(old), value(new))) / seconds }
    }

    private static let counted: [(StaticString, @Sendable (WorldFigures.Counts) -> UInt64)] = [
        ("messagesIn", { $0.messagesIn }), ("messagesOut", { $0.messagesOut }), ("bytesIn", { $0.bytesIn }),
        ("bytesOut", { $0.bytesOut }), ("items", { $0.items }), ("positions", { $0.positions }),
        ("events", { $0.events }), ("requests", { $0.requests }), ("refusals", { $0.refusals }),
        ("drops", { $0.drops }), ("commits", { $0.commits }), ("changes", { $0.changes }),
    ]
}
