internal import CairnLogging
internal import CairnStore
internal import Synchronization

/// Whether the server takes work.
package final class Health: Sendable {
    private let serving = Atomic<Bool>(false)

    package init() {}

    var isServing: Bool { serving.load(ordering: .relaxed) }

    package func set(serving isServing: Bool) {
        serving.store(isServing, ordering: .relaxed)
    }
}

/// Whether the server can do its work, and what keeps it from it.
struct Readiness {
    private let checks: [(name: String, isGood: Bool, detail: String)]

    init(health: Health, store: Store) {
        let figures = store.figures
        checks = [
            ("serving", health.isServing, health.isServing ? "" : "starting or draining"),
            (
                "storage", !figures.isFailing,
                figures.isFileMoved
                    ? "the database's file was removed or replaced" : figures.isFailing ? "the last write failed" : ""
            ),
            (
                "backlog", store.acceptsChanges,
                "\(figures.backlogChanges) changes wait, the oldest for \(figures.oldestUnsavedMilliseconds) ms"
            ),
            // The rest of the world is served: a damaged row is no reason to take a server away from its users.
            ("rows", true, Self.words(of: store.damage)),
            ("indexes", true, Self.words(ofIndexes: figures)),
        ]
    }

    private static func words(ofIndexes figures: StoreFigures) -> String {
        var words: [String] = []
        if !figures.damagedIndexes.isEmpty {
            let names = figures.damagedIndexes.joined(separator: ", ")
            words.append("damaged, and their tables are read instead: \(names)")
        }
        if !figures.rebuiltIndexes.isEmpty {
            words.append("were damaged and are built anew: \(figures.rebuiltIndexes.joined(separator: ", "))")
        }
        return words.isEmpty ? "" : words.joined(separator: "; ") + "; look for a fault of the disk"
    }

    private static func words(of damage: DamageReport) -> String {
        guard let first = damage.rows.first else { return "" }
        let rows = damage.count == 1 ? "1 damaged row is" : "\(damage.count) damaged rows are"
        return "\(rows) set aside, the first is \(first.row); cairn verify names all"
    }

    var isReady: Bool { checks.allSatisfy(\.isGood) }

    var lines: String { checks.map { "\($0.isGood ? "ok " : "not") \($0.name)\n" }.joined() }

    var json: [UInt8] { JSONLine.object { write(in: &$0) } }

    func write(in line: inout JSONLine) {
        line.member("ready", isReady)
        line.array("checks") { line in
            for check in checks {
                line.element { line in
                    line.member("name", check.name)
                    line.member("ok", check.isGood)
                    line.member("detail", check.detail)
                }
            }
        }
    }
}
