import Foundation

/// An answer of the server as a page of text in `cairn top`: what a search has found, or one thing of it.
struct TopPage {
    private let lines: [String]
    /// The commands that open the hits, by their numbers from 1.
    let commands: [String]
    private var offset = 0

    /// Hits that a key opens.
    private static let hitsMax = 9
    private static let unread = [
        "texts were not read: another search was under way, no word has two letters,",
        "or there are more than eight words",
    ]

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
        let none =
            "nothing found: it looks for beginnings of names, "
            + "\(found.areTextsUnread ? "" : "words in texts, ")ids, cells, places and links"
        let title = found.hits.isEmpty ? "\(command): \(none)" : command
        let words = command.drop { $0 != " " }
        let older = found.texts.flatMap { texts in
            texts.next.map { "older texts: cairn stats texts before=\($0)\(words)" }
        }
        let rows = found.hits.enumerated().map { place, hit in
            let number = place < Self.hitsMax ? "\(place + 1)" : " "
            return "\(number)  \(StatsText.left(hit.kind, 13))\(hit.title)   \(hit.where)   \(hit.id)"
        }
        let more = found.cut ? "there are more: write more of it" : nil
        let notes = [more, older].compactMap(\.self) + (found.areTextsUnread ? Self.unread : [])
        lines = [title, ""] + rows + notes
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
    /// Nil = no texts were read.
    let texts: Texts?
    /// Whether texts were to be read, and were not. Where there are no words to search for the answer leaves texts out.
    let areTextsUnread: Bool

    struct Texts: Decodable {
        /// Where a search in older texts begins; nil = there are none.
        let next: String?
    }

    struct Hit: Decodable {
        let kind, id, title, `where`, show: String
    }

    private enum CodingKeys: CodingKey { case hits, cut, texts }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        hits = try members.decode([Hit].self, forKey: .hits)
        cut = try members.decode(Bool.self, forKey: .cut)
        texts = try members.decodeIfPresent(Texts.self, forKey: .texts)
        areTextsUnread = members.contains(.texts) && texts == nil
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
    private static let unsaid: Set<String> = ["ground", "can", "actions"]
    /// Members whose names say too little, or what they are made of.
    private static let words = [
        "account": "person", "at": "when", "audience": "seen by", "audit": "record", "cents": "price in cents",
        "counts": "totals", "created": "since", "damagedCount": "damaged and left out", "dataBytes": "bytes of data",
        "frontEnd": "client", "holds": "has left", "inSpace": "on a tour", "isCut": "link cut", "isDamaged": "damaged",
        "isGone": "gone", "isHidden": "hidden by its score", "isOwnerProven": "owner proven",
        "left": "what they left", "metres": "metres long",
        "next": "older ones: before=", "organisationName": "of", "runs": "walking it now", "seconds": "for seconds",
        "stopCount": "number of stops", "things": "what they left", "url": "link",
    ]

    /// A member's name for people: `appVersion` is app version.
    private static func called(_ name: String) -> String {
        words[name]
            ?? name.reduce(into: "") { text, letter in
                text += letter.isUppercase ? " \(letter.lowercased())" : letter == "_" ? " " : "\(letter)"
            }
    }

    /// One line for each member; a list of objects has a line for each of them, and an object with such lists is told
    /// member by member.
    func lines() -> [String] {
        guard case .members(let members) = self else { return [brief(as: "")] }
        return Self.sorted(members).flatMap { name, value -> [String] in
            if case .members(let inner) = value, inner.values.contains(where: \.isTable) { return value.lines() }
            guard case .list(let values) = value, value.isTable else {
                return ["\(Self.called(name)): \(value.brief(as: name))"]
            }
            return ["", "\(Self.called(name)):"] + values.map { "  " + $0.brief(as: name) }
        }
    }

    private static func sorted(_ members: [String: StatsValue]) -> [(String, StatsValue)] {
        func place(_ member: (key: String, value: StatsValue)) -> (Int, Int, String) {
            (member.value.isTable ? 1 : 0, first.firstIndex(of: member.key) ?? first.count, member.key)
        }
        return members.filter { isNews($0.key, $0.value) }.sorted { place($0) < place($1) }
            .map { ($0.key, $0.value) }
    }

    private static func isNews(_ name: String, _ value: StatsValue) -> Bool {
        if name == "damagedCount", case .number(0) = value { return false }
        return !unsaid.contains(name)
    }

    private var isObject: Bool { if case .members = self { true } else { false } }

    /// Whether it takes a paragraph of its own, behind all others.
    private var isTable: Bool {
        switch self {
        case .list(let values): values.contains(where: \.isObject)
        case .members(let members): members.values.contains(where: \.isTable)
        default: false
        }
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
            Self.sorted(members).map { "\(Self.called($0)) \($1.brief(as: $0))" }.joined(separator: "  ")
        }
    }

    private static let times: Set<String> = ["at", "since", "until", "created", "ends", "handledAt"]
}
