/// The figures of the stats socket that `cairn top` and `cairn stats` show. The command `schema` explains them.
struct StatsTotals: Decodable {
    let at: Int64
    let totals: Totals

    struct Totals: Decodable {
        let connections, people, users, behind, cells, instances: Int
        let rates: Rates
        let queues: Queues
        let store: Store
        let loops: [Loop]
        let refusals, closures: Int
        let drops: [String: Int]
        let process: Process
        /// nil = an older server, which does not report them.
        let alarms: [Alarm]?
        let health: Health?
    }

    /// The state of health.
    struct Health: Decodable {
        /// healthy, watch or trouble.
        let state: String
        let line: String
        /// Alarms, also those that are over, that no operator has marked as seen.
        let unseen: Int
    }

    /// A figure that is not zero, false or none although it should be.
    struct Alarm: Decodable {
        let figure, severity, text, remedy: String
        /// nil = there is none to tell.
        let amount: Int?

        /// What it is, and what to do.
        var words: String { text + (amount.map { " (\(StatsText.count($0)))" } ?? "") + ": " + remedy }
    }

    struct Rates: Decodable {
        let messagesIn, messagesOut, bytesIn, bytesOut, positions, events, requests, refusals, drops: Double
        let commits, changes: Double
    }

    struct Queues: Decodable {
        let outboxBytes, unsavedTurns, backlogChanges, oldestUnsavedMilliseconds: Int
    }

    struct Store: Decodable {
        let commitP99Microseconds: Int
    }

    struct Loop: Decodable {
        let busy: Double
        let delayMicroseconds: Int
    }

    struct Process: Decodable {
        let residentBytes: Int
    }
}

/// One page of the answer to `cells`.
struct StatsCells: Decodable {
    let of: Int
    let cells: [Cell]

    /// The figures of a cell, by name.
    typealias Cell = [String: Figure]

    enum Figure: Decodable {
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }
}

/// The answer to `columns`: how the figures of cells are shown and sorted.
struct StatsColumns: Decodable {
    let columns: [Column]

    struct Column: Decodable {
        let name, title, order, key, unit, meaning: String
    }
}

/// An answer to `info`.
struct StatsInfo: Decodable {
    let version: String
    let uptimeSeconds: Double
}

/// An answer to `refusals`: what was counted, the most frequent lately first.
struct StatsReasons: Decodable {
    let reasons: [Reason]

    struct Reason: Decodable {
        let reason, outcome, meaning, remedy: String
        let count, lately: Int
    }
}

/// An answer to `alarms`.
struct StatsAlarms: Decodable {
    let at: Int64
    let alarms: [Kept]

    struct Kept: Decodable {
        let alarm: Int
        let text, remedy: String
        let amount: Int?
        /// Milliseconds since 1970; `ended` nil = it is raised, `seenAt` nil = nobody has seen it.
        let began: Int64
        let ended, seenAt: Int64?
    }
}

/// A refusal.
struct StatsErrorAnswer: Decodable {
    let error: Content

    struct Content: Decodable {
        let code, message: String
    }
}
