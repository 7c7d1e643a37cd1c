internal import CairnCore

/// How many rows a table has, and the sum of a keyed code of each: a row that is deleted, inserted, changed or put back
/// without the key makes another sum (decision 0005).
///
/// The sum does not depend on the order of the rows, and a change adds or subtracts one code. Nobody without the key
/// can compute a code, or see the sum, which is sealed; so nobody can find rows whose codes cancel out.
struct Tally: Hashable, Sendable {
    private(set) var rows: Int64 = 0
    private(set) var sum = Code()
    /// The codes by key, of a table whose missing rows are to be known one by one; nil = the sum is enough.
    private(set) var codes: [Int64: Code]?
    /// The record of this table was removed or does not open: it was begun anew, and says nothing about before.
    var isLost = false

    /// The code of a row: 128 bits of an HMAC.
    struct Code: Hashable, Sendable {
        var low: UInt64 = 0
        var high: UInt64 = 0

        static func &+ (one: Code, other: Code) -> Code {
            Code(low: one.low &+ other.low, high: one.high &+ other.high)
        }

        static func &- (one: Code, other: Code) -> Code {
            Code(low: one.low &- other.low, high: one.high &- other.high)
        }
    }

    /// - Parameter keepsCodes: whether missing rows are to be known one by one.
    init(keepsCodes: Bool) { codes = keepsCodes ? [:] : nil }

    /// One as it was stored.
    init(rows: Int64, sum: Code, codes: [Int64: Code]?, isLost: Bool) {
        (self.rows, self.sum, self.codes, self.isLost) = (rows, sum, codes, isLost)
    }

    /// Counts a row in. With codes by key, a row of a known key replaces that one: it comes back.
    mutating func add(_ code: Code, key: Int64) {
        if let former = codes?.updateValue(code, forKey: key) {
            sum = sum &- former
        } else {
            rows += 1
        }
        sum = sum &+ code
    }

    /// Counts a row out. With codes by key, one that was never counted in is passed over.
    mutating func remove(_ code: Code, key: Int64) {
        if codes != nil {
            guard let former = codes?.removeValue(forKey: key) else { return }
            (rows, sum) = (rows - 1, sum &- former)
        } else {
            (rows, sum) = (rows - 1, sum &- code)
        }
    }

    /// This tally with the difference that another one has from what was found: what was missing before the schema was
    /// brought up to date is missing afterwards, too.
    func keeping(differenceOf stored: Tally?, from found: Tally?) -> Tally {
        guard let stored, let found else { return self }
        var result = self
        result.isLost = stored.isLost
        guard stored.rows != found.rows || stored.sum != found.sum else { return result }
        guard result.codes != nil, let known = stored.codes, let seen = found.codes else {
            result.rows += stored.rows - found.rows
            result.sum = result.sum &+ (stored.sum &- found.sum)
            return result
        }
        for (key, code) in known where seen[key] != code { result.add(code, key: key) }
        for (key, code) in seen where known[key] == nil { result.remove(code, key: key) }
        return result
    }
}

/// What the record of a table's rows says, and what was found.
public struct TallyFinding: Hashable, Sendable {
    public let table: String
    /// Rows that the server has written and not deleted.
    public let rowsWritten: Int64
    public let rowsFound: Int64
    /// The record itself was removed or damaged.
    public let isLost: Bool
    /// Keys of missing rows, where they are known one by one.
    public let missing: [Int64]
    /// Keys of rows that the server has not written, or not so, where they are known one by one.
    public let foreign: [Int64]

    /// Nil = the table is as the server wrote it.
    init?(_ table: String, written: Tally, found: Tally) {
        guard written.isLost || written.rows != found.rows || written.sum != found.sum else { return nil }
        self.table = table
        (rowsWritten, rowsFound, isLost) = (written.rows, found.rows, written.isLost)
        let (known, seen) = (written.codes ?? [:], found.codes ?? [:])
        missing = known.keys.filter { seen[$0] == nil }.sorted()
        foreign = seen.filter { known[$0.key] != $0.value }.map(\.key).sorted()
    }

    /// What differs, in a few words.
    public var difference: String {
        if isLost { return "the record of its rows was removed or damaged" }
        let (written, found) = (rowsWritten, rowsFound)
        if written > found { return "\(written - found) of \(written) rows are missing" }
        if written < found { return "\(found - written) rows more than the server wrote" }
        return "rows were changed or replaced behind the server's back"
    }

    /// Most lines of a log about the findings of one start, so that none of them holds back what else the start says.
    private static let linesMax = 10

    /// Lines for the log: one for all tables that differ in the same way. The last names the tables that have none.
    static func lines(of findings: [TallyFinding]) -> [String] {
        var tables: [String: [String]] = [:]
        var differences: [String] = []
        for finding in findings {
            if tables[finding.difference] == nil { differences.append(finding.difference) }
            tables[finding.difference, default: []].append(finding.table)
        }
        let remedy = "and not by this server; cairn verify says what to do"
        // Without a last line for one difference, which could be told as well.
        let told = differences.count > linesMax ? linesMax - 1 : linesMax
        var lines = differences.prefix(told).map { difference in
            "\((tables[difference] ?? []).joined(separator: ", ")): \(difference), \(remedy)"
        }
        let rest = differences.dropFirst(told).flatMap { tables[$0] ?? [] }
        if !rest.isEmpty { lines.append("\(rest.joined(separator: ", ")): their rows differ as well, \(remedy)") }
        return lines
    }
}
