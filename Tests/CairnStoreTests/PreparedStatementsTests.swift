import Testing

@testable import CairnCore
@testable import CairnStore

/// Statements that are found by where their text lies.
@Suite("Prepared statements")
struct PreparedStatementsTests {
    private static let digits: [StaticText] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]

    /// Asks for the number itself, with a text that is made anew: all are of one length.
    private static func query(_ number: Int) -> Query {
        let text = StaticText(
            joining: [
                "SELECT 1", digits[number / 1_000 % 10], digits[number / 100 % 10], digits[number / 10 % 10],
                digits[number % 10], " AS number",
            ])
        return Query(text, arguments: [], opening: [])
    }

    /// A text whose memory another has had before is not taken for that one.
    /// BEGIN and COMMIT.
    private static let ofTransactions = 2

    @Test func textsMadeAnew_getTheirOwnAnswers() throws {
        let connection = try Connection(path: ":memory:", role: .copy)
        defer { connection.close() }
        for number in 0..<2_000 {
            let answer = try connection.read([Self.query(number)])[0][0].integer(0)
            #expect(answer == Int64(10_000 + number))
        }
    }

    @Test func textsMadeAnew_doNotFillTheMemory() throws {
        let connection = try Connection(path: ":memory:", role: .copy)
        defer { connection.close() }
        for number in 0..<1_000 { _ = try connection.read([Self.query(number)]) }
        #expect((1...256).contains(connection.prepared.count))
    }

    @Test func textOfTheSource_isKeptOnce() throws {
        let connection = try Connection(path: ":memory:", role: .copy)
        defer { connection.close() }
        for _ in 0..<3 {
            #expect(try connection.read([Query("SELECT 4711 AS answer")])[0][0].integer(0) == 4711)
        }
        #expect(connection.prepared.count == 1 + Self.ofTransactions)
    }

    /// It has no address of its own.
    @Test func shortText_isAnswered() throws {
        let connection = try Connection(path: ":memory:", role: .copy)
        defer { connection.close() }
        #expect(try connection.read([Query("SELECT 1")])[0][0].integer(0) == 1)
        #expect(try connection.read([Query("SELECT 2")])[0][0].integer(0) == 2)
        #expect(connection.prepared.count == Self.ofTransactions)
    }

    @Test func closedConnection_holdsNone() throws {
        let connection = try Connection(path: ":memory:", role: .copy)
        _ = try connection.read([Query("SELECT 4711 AS answer")])
        connection.close()
        #expect(connection.prepared.count == 0)
    }
}
