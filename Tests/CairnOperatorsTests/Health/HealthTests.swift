import CairnCore
import CairnTime
import CairnWebSocket
import Foundation
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: the state of health")
struct HealthTests {
    private func figures(_ change: (inout HealthFigures) -> Void) -> HealthFigures {
        var figures = HealthFigures()
        change(&figures)
        return figures
    }

    private func verdict(_ change: (inout HealthFigures) -> Void) -> HealthVerdict {
        HealthVerdict(alarms: RaisedAlarm.byGravity(RaisedAlarm.byRules(figures(change))))
    }

    @Test func aServerThatKeepsUp_isHealthy() {
        let healthy = verdict {
            $0.openFilesMax = 1_000
            $0.openFiles = 900
            $0.lateSeconds = 4
            $0.overload = 3
            $0.overloadSeconds = 4
            $0.backupInterval = .seconds(3_600)
            $0.backupAge = .seconds(10_800)
            $0.oldestUnsaved = .seconds(5)
            $0.wrongCredentials = 9
            $0.diskBytes = 20_000_000_000
            $0.diskFreeBytes = 1_000_000_000
        }
        #expect(healthy.state == .healthy)
        #expect(healthy.line == "Healthy")
    }

    @Test func eachRule_raisesItsAlarmAtItsBound() {
        let changes: [(String, HealthVerdict.State, (inout HealthFigures) -> Void)] = [
            ("serving", .trouble, { $0.isServing = false }),
            ("acceptsChanges", .trouble, { $0.acceptsChanges = false }),
            ("oldestUnsaved", .trouble, { $0.oldestUnsaved = .milliseconds(5_001) }),
            (
                "overload", .watch,
                {
                    $0.overload = 1
                    $0.overloadSeconds = 5
                }
            ),
            ("overload", .trouble, { $0.overload = 4 }),
            ("loopsLate", .watch, { $0.lateSeconds = 5 }),
            ("memoryLevel", .watch, { $0.memoryLevel = 1 }), ("memoryLevel", .trouble, { $0.memoryLevel = 2 }),
            (
                "openFiles", .watch,
                {
                    $0.openFilesMax = 1_000
                    $0.openFiles = 901
                }
            ),
            (
                "backupOld", .watch,
                {
                    $0.backupInterval = .seconds(3_600)
                    $0.backupAge = .seconds(10_801)
                }
            ),
            ("oldestMessage", .watch, { $0.oldestMessage = .seconds(901) }),
            ("wrongCredentials", .watch, { $0.wrongCredentials = 10 }),
            (
                "diskFree", .watch,
                {
                    $0.diskBytes = 100_000_000_000
                    $0.diskFreeBytes = 1_999_999_999
                }
            ),
            (
                "diskFree", .trouble,
                {
                    $0.diskBytes = 100_000_000_000
                    $0.diskFreeBytes = 199_999_999
                }
            ),
        ]
        for (figure, state, change) in changes {
            let verdict = verdict(change)
            #expect(verdict.alarms.map { "\($0.figure)" } == [figure])
            #expect(verdict.state == state, "\(figure)")
            #expect(verdict.alarms.allSatisfy { !$0.alarm.remedy.isEmpty }, "\(figure)")
        }
        #expect(Set(changes.map(\.0)) == Set(HealthRule.all.map { "\($0.figure)" }), "a rule is not tried")
    }

    @Test func line_saysTheWorstFirst_withItsAmount() {
        let both = verdict {
            $0.overload = 2
            $0.overloadSeconds = 9
            $0.acceptsChanges = false
        }
        #expect(both.state == .trouble)
        #expect(both.line.hasPrefix("Trouble: The queue of changes for the disk is full"))
        #expect(both.line.hasSuffix("come more seldom (2)"))
    }

    /// What the console calls watch or trouble wakes somebody who does not look at it, too.
    @Test func everyRule_hasARuleForPrometheus() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let rules = try String(contentsOf: root.appending(path: "config/prometheus-alerts.yaml"), encoding: .utf8)
        for rule in HealthRule.all where !rule.family.isEmpty {
            #expect(rules.contains(rule.family), "\(rule.figure)")
        }
    }

    /// With a scrape a minute, and one of them missed.
    @Test func windowsOfPrometheus_haveSamplesEnough() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let rules = try String(contentsOf: root.appending(path: "config/prometheus-alerts.yaml"), encoding: .utf8)
        let minutes = rules.matches(of: /\[([0-9]+)([a-z]+)\]/).map { $0.output.2 == "m" ? Int($0.output.1) ?? 0 : 0 }
        #expect(!minutes.isEmpty)
        #expect(minutes.allSatisfy { $0 >= 5 }, "\(minutes)")
    }

    /// Whoever shows nothing has tried nothing. Each counter is there before anything is counted: Prometheus sees no
    /// growth in the first sample of a series.
    @Test func wrongCredentials_haveACounterOfTheirOwn() throws {
        let figures = OperatorFigures()
        func value(_ family: String) throws -> MetricValue {
            try #require(OperatorFigures.metrics.first { $0.description.family?.name == family }).value(figures.current)
        }
        guard case .counts(let none) = try value("cairn.operator.refusals") else { throw Unexpected() }
        #expect(Set(none.keys) == Set(OperatorFigures.Reason.allCases.map(\.rawValue)))
        let address = PeerAddress(high: 0, low: 0xFFFF_0A00_0001)
        figures.refused(.credential, showing: "", from: address)
        figures.refused(.credential, showing: "Bearer guess", from: address)
        figures.refused(.origin, showing: "Bearer guess", from: address)
        #expect(try value("cairn.operator.attempts").amount == 1)
        guard case .counts(let counts) = try value("cairn.operator.refusals") else { throw Unexpected() }
        #expect(counts["credential"] == 2)
    }

    @Test func everyAlarmOfAFigure_saysWhatToDo() {
        for (name, _, alarm) in MetricsRegistry.alarmed { #expect(!alarm.remedy.isEmpty, "\(name)") }
    }
}

private struct Unexpected: Error {}

@Suite("Stats: alarms until they are seen")
struct AlarmBookTests {
    private var book = AlarmBook()

    private func alarm(_ figure: StaticString, _ severity: MetricAlarm.Severity = .warn, amount: Int? = nil)
        -> RaisedAlarm
    {
        RaisedAlarm(
            figure: figure, section: .process, alarm: MetricAlarm(severity: severity, text: "It is so", remedy: "Look"),
            amount: amount)
    }

    private func time(_ second: Int) -> MonotonicTime { .epoch + .seconds(second) }

    @Test mutating func whatCameAndWent_staysUntilItIsSeen() throws {
        #expect(book.note([alarm("overload")], now: time(10)).count == 1)
        #expect(book.note([], now: time(20)).isEmpty)
        #expect(book.note([], now: time(9_999)).isEmpty)
        let entry = try #require(book.entries.first)
        #expect(book.unseen == 1)
        #expect([entry.beganAt, entry.endedAt] == [time(10), time(20)])
        #expect(book.see(entry.number, by: "ada", now: time(10_000)) == 1)
        #expect(book.unseen == 0)
        #expect(book.entries.first?.seen?.by == "ada")
    }

    @Test mutating func whatComesAgainUnseen_isCountedInItsEntry() {
        for second in 0..<1_000 { _ = book.note(second % 2 == 0 ? [alarm("overload")] : [], now: time(second)) }
        #expect(book.entries.count == 1)
        #expect(book.entries.first?.times == 500)
        #expect(book.entries.first?.endedAt == time(999))
    }

    @Test mutating func whatComesAgainAfterItWasSeen_isNew() {
        _ = book.note([alarm("overload")], now: time(1))
        _ = book.note([], now: time(2))
        #expect(book.see(nil, by: "ada", now: time(3)) == 1)
        #expect(book.note([alarm("overload")], now: time(4)).count == 1)
        #expect(book.entries.count == 2)
        #expect(book.unseen == 1)
    }

    @Test mutating func whatGetsWorse_isToBeSeenAgain() {
        _ = book.note([alarm("memoryLevel", amount: 1)], now: time(1))
        _ = book.see(nil, by: "ada", now: time(2))
        _ = book.note([alarm("memoryLevel", amount: 1)], now: time(3))
        #expect(book.unseen == 0)
        _ = book.note([alarm("memoryLevel", .bad, amount: 2)], now: time(4))
        #expect(book.unseen == 1)
        // It stays as it was when it was worst.
        _ = book.note([alarm("memoryLevel", amount: 1)], now: time(5))
        #expect(book.entries.first?.alarm.amount == 2)
    }

    @Test mutating func aNumberThatNoAlarmHas_isNone() {
        _ = book.note([alarm("overload")], now: time(1))
        #expect(book.see(99, by: "ada", now: time(2)) == nil)
        #expect(book.see(1, by: "ada", now: time(2)) == 1)
        #expect(book.see(1, by: "bob", now: time(3)) == 0)
        #expect(book.entries.first?.seen?.by == "ada")
    }

    @Test mutating func seenOnes_areBounded() {
        for number in 0..<(3 * AlarmBook.seenMax) {
            _ = book.note([alarm("overload")], now: time(2 * number))
            _ = book.see(nil, by: "ada", now: time(2 * number))
            _ = book.note([], now: time(2 * number + 1))
        }
        #expect(book.entries.count == AlarmBook.seenMax)
        #expect(book.entries.last?.number == 3 * AlarmBook.seenMax)
    }
}
