internal import CairnStore
internal import CairnWebSocket

/// What all shards, the store and the process say, added up.
struct WorldFigures: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    var at: Int64
    let shards: [ShardReport]
    var store: StoreFigures
    let process: ProcessFigures
    /// By the field number of their kind in the envelope.
    let kinds: [UInt32: String]

    func sum(_ value: (ShardReport) -> Int) -> Int { shards.reduce(0) { $0 + value($1) } }
    func sum(_ value: (ShardReport) -> UInt64) -> UInt64 { shards.reduce(0) { $0 + value($1) } }

    func sums(_ counts: (ShardReport) -> [String: UInt64]) -> [String: UInt64] {
        shards.reduce(into: [:]) { $0.merge(counts($1), uniquingKeysWith: +) }
    }

    var connectionsByFrontEnd: [String: UInt64] {
        sums { report in
            Dictionary(uniqueKeysWithValues: report.connectionsByFrontEnd.map { ($0, UInt64($1)) })
        }
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
            "right_revoked": sum { $0.loop.itemsRevoked },
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
}
