internal import CairnLogging
internal import CairnServer

/// The command that looks at spaces (STA-2).
extension StatsCommand {
    static var spaces: [StatsCommand] {
        [
            StatsCommand(
                "spaces", takes: "[top=N]",
                "spaces in memory, such as tour runs, those with the most people first; "
                    + "\(SpaceChoice.topUsual) of them, or up to \(SpaceChoice.topMax); of = all"
            ) { room, someone, arguments throws(StatsRefusal) in
                let choice = try SpaceChoice(arguments)
                room.whenBusy(someone) { done in
                    room.ask({ $0.spaceRows() }) { room, parts in
                        done(room) { room.answer($0) { $0.write(choice.rows(of: parts.compactMap { $0 })) } }
                    }
                }
            }
        ]
    }
}

/// How many spaces.
struct SpaceChoice {
    static let topUsual = 100
    static let topMax = 1_000

    private var top = topUsual

    init(_ arguments: StatsArguments) throws(StatsRefusal) {
        for word in arguments.words {
            guard word.hasPrefix("top="), let top = Int(word.dropFirst(4)), (1...Self.topMax).contains(top) else {
                throw StatsRefusal(.badArgument, "\(word.prefix(40)) is not top=N, with 1 to \(Self.topMax)")
            }
            self.top = top
        }
    }

    /// The rows of all loops as one list, and how many there are in all.
    func rows(of parts: [[SpaceRow]]) -> (rows: [SpaceRow], count: Int) {
        var all: [String: SpaceRow] = [:]
        for row in parts.joined() { all[row.space, default: SpaceRow(space: row.space)].add(row) }
        let sorted = all.values.sorted {
            ($0.people, $0.subscribers, $1.space) > ($1.people, $1.subscribers, $0.space)
        }
        return (Array(sorted.prefix(top)), all.count)
    }
}

extension JSONLine {
    fileprivate mutating func write(_ spaces: (rows: [SpaceRow], count: Int)) {
        member("of", spaces.count)
        array("spaces") { line in
            for row in spaces.rows { line.element { $0.members(SpaceRow.metrics, of: row) } }
        }
    }
}
