/// One task for an outside service. It holds only what the task needs (EXT-3).
package struct AdaptorCall: Sendable, Equatable {
    /// Names the call, for an adaptor that recognises repeats: 1 to 64 of a-z, A-Z, 0-9, `-` and `_`. Two calls with
    /// one id are never under way at once.
    package let id: String
    /// What to do, such as `send`.
    package let action: String
    package let fields: [String: AdaptorValue]

    package init(id: String, action: String, fields: [String: AdaptorValue]) {
        self.id = id
        self.action = action
        self.fields = fields
    }

    /// The text in a field; empty when there is none.
    package subscript(field: String) -> String {
        guard case .text(let text)? = fields[field] else { return "" }
        return text
    }

    /// The number in a field; 0 when there is none.
    func number(_ field: String) -> Int64 {
        guard case .number(let number)? = fields[field] else { return 0 }
        return number
    }
}

/// A value in a call's fields, as JSON has them.
package indirect enum AdaptorValue: Sendable, Equatable, Encodable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([AdaptorValue])
    case object([String: AdaptorValue])

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// What an outside service decided.
package enum AdaptorAnswer: Sendable, Equatable {
    case done([String: String])
    /// The service will not do it, now or later. `code` is one of the action's own, in snake case.
    case refused(code: String, message: String)
}

/// Why a call has no answer. Callers refuse with `provider_unavailable` or their row's own code (EXT-1).
package enum AdaptorFailure: String, Error, Sendable, CaseIterable {
    /// The adaptor is off by configuration.
    case off
    /// The server does not serve yet, or stops.
    case stopped
    /// The queue of calls is full.
    case queueFull = "queue_full"
    /// No answer within the time limit, the time in the queue included.
    case timeLimit = "time_limit"
    /// The process ended before it answered. It may or may not have done the task.
    case died
    /// The adaptor answered that it has failed.
    case failed
    /// A call with this id is under way.
    case repeated
    /// The call is longer than a line may be, or its id is none.
    case unsendable
}
