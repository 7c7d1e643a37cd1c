import Foundation

/// The server's refusal of a filter that it does not understand.
struct TopRefused: Error {
    let message: String
}

/// One sample of a server's figures, as `top` shows it.
struct TopLook {
    let info: StatsInfo
    let totals: StatsTotals.Totals
    let at: Int64
    /// What was refused, in words, and the alarms of earlier.
    let reasons: StatsReasons
    let alarms: StatsAlarms
    /// The columns of the table of cells; the first one names the cell.
    let columns: [StatsColumns.Column]
    /// The first cells of the order: more than fit on the screen, so that a frozen sample can be scrolled.
    let cells: [StatsCells.Cell]
    /// Number of cells that match the filter.
    let of: Int

    /// Requests a sample and waits for it.
    init(_ connection: StatsConnection, view: TopView, rows: Int) throws {
        var request = try TopLookRequest(connection, view: view, rows: rows)
        while true {
            if let look = try request.add(try connection.line()) {
                self = look
                return
            }
        }
    }

    fileprivate init(_ answers: [[[UInt8]]]) throws {
        info = try Self.decode(answers[0][0])
        let totals: StatsTotals = try Self.decode(answers[1][0])
        self.totals = totals.totals
        at = totals.at
        let table: StatsColumns = try Self.decode(answers[2][0])
        columns = table.columns
        // An older server has no words for reasons, and keeps no alarms.
        reasons = (try? Self.decode(answers[3][0])) ?? StatsReasons(reasons: [])
        alarms = (try? Self.decode(answers[4][0])) ?? StatsAlarms(at: totals.at, alarms: [])
        let pages: [StatsCells] = try answers[5].map(Self.decode)
        cells = pages.flatMap(\.cells)
        of = pages.first?.of ?? 0
    }

    private static func decode<Answer: Decodable>(_ line: [UInt8]) throws -> Answer {
        if let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: Data(line)) {
            throw TopRefused(message: refusal.error.message)
        }
        return try JSONDecoder().decode(Answer.self, from: Data(line))
    }
}

/// A sample under way: collects the lines of its answers as they come.
struct TopLookRequest {
    private var answers: [[[UInt8]]] = [[]]

    /// Answers that make a sample: to `info`, `totals`, `columns`, `refusals`, `alarms` and `cells`.
    private static let answerCount = 6
    /// Cells beyond those on the screen, for scrolling.
    private static let cellsAhead = 200

    /// Sends the requests; does not wait.
    init(_ connection: StatsConnection, view: TopView, rows: Int) throws {
        try connection.send("info")
        try connection.send("totals")
        try connection.send("columns")
        try connection.send("refusals")
        try connection.send("alarms")
        try connection.send("cells \(view.order) \(view.filter) top=\(view.offset + rows + Self.cellsAhead)")
    }

    /// Adds a line of the answers.
    /// - Returns: the sample, when the line is its last one.
    mutating func add(_ line: [UInt8]) throws -> TopLook? {
        answers[answers.count - 1].append(line)
        if try StatsConnection.isFollowed(line) { return nil }
        guard answers.count == Self.answerCount else {
            answers.append([])
            return nil
        }
        return try TopLook(answers)
    }
}
