import Foundation

/// An answer of the server as a page of text in `cairn top`: what a search has found, or one thing of it.
struct TopPage {
    private let lines: [String]
    /// The commands that open the hits, by their numbers from 1.
    let commands: [String]
    private var offset = 0

    /// Hits that a key opens.
    private static let hitsMax = 9

    /// - Parameter line: the answer.
    /// - Throws: `TopRefused` for a refusal.
    init(_ line: [UInt8], of command: String) throws {
        let data = Data(line)
        if let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: data) {
            throw TopRefused(message: refusal.error.message)
        }
        guard let found = try? JSONDecoder().decode(StatsHits.self, from: data) else {
            commands = []
            lines = [command, ""] + (try JSONDecoder().decode(StatsValue.self, from: data)).lines()
            return
        }
        commands = found.hits.prefix(Self.hitsMax).map(\.show)
        let none = "nothing found: it looks for beginnings of names, ids, cells, places and links"
        let title = found.hits.isEmpty ? "\(command): \(none)" : command
        let rows = found.hits.enumerated().map { place, hit in
            let number = place < Self.hitsMax ? "\(place + 1)" : " "
            return "\(number)  \(StatsText.left(hit.kind, 13))\(hit.title)   \(hit.where)   \(hit.id)"
        }
        lines = [title, ""] + rows + (found.cut ? ["there are more: write more of it"] : [])
    }

    /// At most `count` lines, from the one that the page is scrolled to.
    func rows(_ count: Int, width: Int) -> [String] {
        lines.dropFirst(offset).prefix(count).map { String(Self.shown($0).prefix(width)) }
    }

    /// People's words may have letters that control a terminal.
    private static func shown(_ line: String) -> String {
        guard line.unicodeScalars.contains(where: isUnseen) else { return line }
        return String(String.UnicodeScalarView(line.unicodeScalars.map { isUnseen($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    mutating func scroll(by rows: Int) { offset = max(0, min(lines.count - 1, offset + rows)) }
}

/// The answer to `find`.
private struct StatsHits: Decodable {
    let hits: [Hit]
    let cut: Bool

    struct Hit: Decodable {
        let kind, id, title, `where`, show: String
    }
}

/// Any answer of the stats socket.
private enum StatsValue: Decodable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([StatsValue])
    case members([String: StatsValue])
    case nothing

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .nothing
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([StatsValue].self) {
            self = .list(list)
        } else {
            self = .members(try value.decode([String: StatsValue].self))
        }
    }

    /// Members that come first, in this order; the others follow by name.
    private static let first = [
        "account", "thing", "tour", "organisation", "cell", "name", "kind", "what", "text", "role", "state", "owner",
        "suspended", "reason", "session", "at", "operator",
    ]
    /// Members that are no news to somebody who reads.
    private static let unsaid: Set<String> = ["ground", "can"]

    /// One line for each member; a list of objects has a line for each of them.
    func lines() -> [String] {
        guard case .members(let members) = self else { return [brief(as: "")] }
        return Self.sorted(members).flatMap { name, value -> [String] in
            guard case .list(let values) = value, value.isTable else { return ["\(name): \(value.brief(as: name))"] }
            return ["", "\(name):"] + values.map { "  " + $0.brief(as: name) }
        }
    }

    private static func sorted(_ members: [String: StatsValue]) -> [(String, StatsValue)] {
        func place(_ member: (key: String, value: StatsValue)) -> (Int, Int, String) {
            (member.value.isTable ? 1 : 0, first.firstIndex(of: member.key) ?? first.count, member.key)
        }
        return members.filter { !unsaid.contains($0.key) }.sorted { place($0) < place($1) }
            .map { ($0.key, $0.value) }
    }

    private var isObject: Bool { if case .members = self { true } else { false } }

    /// Whether it takes a paragraph of its own, behind all others.
    private var isTable: Bool {
        if case .list(let values) = self { values.contains(where: \.isObject) } else { false }
    }

    /// The value in one line.
    private func brief(as name: String) -> String {
        switch self {
        case .nothing: "none"
        case .flag(let flag): flag ? "yes" : "no"
        case .text(let text): text.isEmpty ? "-" : text
        case .number(let number) where Self.times.contains(name) && number >= 1_000_000_000_000:
            Date(timeIntervalSince1970: number / 1_000).formatted(.iso8601)
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .list(let values): values.isEmpty ? "none" : values.map { $0.brief(as: name) }.joined(separator: ", ")
        case .members(let members):
            Self.sorted(members).map { "\($0) \($1.brief(as: $0))" }.joined(separator: "  ")
        }
    }

    private static let times: Set<String> = ["at", "since", "created", "ends", "handledAt"]
}
