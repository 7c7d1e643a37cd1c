internal import CairnCore
internal import CairnServer

/// A reason for which the server refused, dropped, closed or turned something away, in words for operators. Everything
/// that is counted by reason is in `all`; the console, `cairn top` and docs/stats.md have their words from here.
struct OperatorReason: Sendable {
    let group: Group
    /// As it is counted, for instance `rate_limited`.
    let code: String
    /// What has happened, in a sentence.
    let meaning: String
    /// What an operator can do, in a sentence.
    let remedy: String

    /// Who refused, named as the member of `refusals` that counts it.
    enum Group: String, CaseIterable, Sendable {
        case refusals, drops, closures, transport, guestsRefused, operators, doors

        /// What became of it, in a word.
        var outcome: String {
            switch self {
            case .refusals: "refused"
            case .drops: "dropped"
            case .closures: "closed"
            case .transport: "rejected"
            case .guestsRefused: "guest refused"
            case .operators: "operator refused"
            case .doors: "turned away"
            }
        }

        /// What the group is, for the document.
        var heading: String {
            switch self {
            case .refusals: "Requests of people"
            case .drops: "Items that did not reach their connection"
            case .closures: "Connections that the server closed"
            case .transport: "Connections that the transport rejected"
            case .guestsRefused: "Guests who look"
            case .operators: "Operators"
            case .doors: "Requests for pages and sockets"
            }
        }
    }

    /// Every reason, in the order of the document.
    static let all: [OperatorReason] = requests + OperatorFeatures.reasons + connections

    /// The counts since the start in the order of `all`.
    static func counts(in figures: ServerFigures) -> [UInt64] {
        let counted = counted(in: figures)
        return all.map { counted[$0.group]?[$0.code] ?? 0 }
    }

    /// Everything that is counted by reason, also reasons that `all` lacks.
    static func counted(in figures: ServerFigures) -> [Group: [String: UInt64]] {
        var counted: [Group: [String: UInt64]] = [:]
        for (name, metric) in MetricsRegistry.members(of: .refusals) {
            guard let group = Group(rawValue: "\(name)"), case .counts(let counts) = metric.value(figures) else {
                continue
            }
            counted[group] = counts
        }
        counted[.drops] = MetricsRegistry.members(of: .drops).reduce(into: [:]) { drops, member in
            drops["\(member.name)"] = UInt64(max(0, member.metric.value(figures).amount))
        }
        return counted
    }

    typealias Row = (code: String, meaning: String, remedy: String)

    static func rows(_ group: Group, _ rows: [Row]) -> [OperatorReason] {
        rows.map { OperatorReason(group: group, code: $0.code, meaning: $0.meaning, remedy: $0.remedy) }
    }

    // MARK: Remedies of many

    /// The person has the remedy.
    static let theirs = "Nothing: the person is told why, and what to do."
    /// An app sends what it should not.
    static let apps =
        "Nothing, if it is rare. If one app sends many, its developers have a fault to correct: a cell's page and the "
        + "log say which part refused."
    /// A limit that a setting has.
    static let limit =
        "Nothing, unless ordinary use meets it: docs/limits.md names each limit, and the setting that raises it."
}
