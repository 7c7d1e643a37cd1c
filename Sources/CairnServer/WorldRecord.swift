internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Facts that belong to a world and not to the settings of its server. Each is a sealed row.
enum WorldRecord {
    static let migrations = [
        Migration("world-1", "CREATE TABLE world (fact INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT")
    ]

    private enum Fact: Int64 {
        /// The level of its cells: everything is stored under its cell and can be found only by that.
        case level = 1
        /// The newest lasting time, and the doubt about it (`FollowedTime`).
        case time = 2
        /// The version of the tables and rules that made the skeletons of names.
        case skeletons = 3
        /// The number of the ledger's last entry, and its mark.
        case ledger = 4
    }

    private static let seal = Seal("world")

    static let table = StoredTable(
        "world", of: .world, columns: ["fact", "sealed"], key: [0], opening: [Opening(1, seal, row: 0)],
        erasure: [.nothingPersonal]
    ) { row throws(ColumnFault) in
        _ = try numbers(in: row)
        return []
    }

    private static let aboutFact = table.query("WHERE fact = ?")

    private static func question(_ fact: Fact) -> Query { aboutFact.about(.integer(fact.rawValue)) }

    private static func numbers(in row: Row) throws(ColumnFault) -> [Int64] {
        try row.within(1) { sealed throws(ColumnFault) in
            var numbers: [Int64] = []
            for column in sealed.values.indices { numbers.append(try sealed.integer(column)) }
            return numbers
        }
    }

    /// Nil when the row is missing or unreadable: then the fact is derived from the stored data.
    private static func numbers(in answer: [Row]?, count: Int) -> [Int64]? {
        guard let row = answer?.first, let numbers = try? numbers(in: row), numbers.count == count else { return nil }
        return numbers
    }

    private static func keeping(_ fact: Fact, _ numbers: [Int64]) -> Statement {
        Statement(
            "INSERT INTO world (fact, sealed) VALUES (?, ?) ON CONFLICT (fact) DO UPDATE SET sealed = excluded.sealed",
            .integer(fact.rawValue), .sealed(numbers.map { .integer($0) }, seal, row: fact.rawValue))
    }

    // MARK: Level

    /// Compares the configured level with the world's. A world without a recorded level gets the configured one, if the
    /// stored rows agree with it.
    /// - Throws: `ConfigurationError` when the world has another level: none of its rows would be found.
    static func establishLevel(_ level: Int, of register: FeatureRegister, in store: Store) async throws {
        let known = try await store.read([question(.level)]).first
        if let own = numbers(in: known, count: 1)?.first {
            guard own == Int64(level) else { throw otherLevel(Int(own), configured: level) }
            return
        }
        for probe in register.levelProbes {
            guard let own = try await Self.level(by: probe, in: store, configured: level), own != level else {
                continue
            }
            throw otherLevel(own, configured: level)
        }
        // Not awaited: a world on a disk that accepts no writes can still be viewed (DAT-4).
        store.leave([keeping(.level, [Int64(level)])])
    }

    /// The level by which most of a sample of rows are stored; nil when no row shows it.
    private static func level(by probe: LevelProbe, in store: Store, configured: Int) async throws -> Int? {
        let sample = try await store.read([probe.sample])[0]
        for level in [configured] + (1...30).filter({ $0 != configured }) {
            let questions = sample.compactMap { probe.storage($0, level) }
            guard !questions.isEmpty else { return nil }
            let found = try await store.read(questions).count { !$0.isEmpty }
            if found * 2 > questions.count { return level }
        }
        return nil
    }

    private static func otherLevel(_ own: Int, configured: Int) -> ConfigurationError {
        ConfigurationError([
            "cells.level is \(configured), but this world was made with \(own), and nothing in it would be found: set "
                + "cells.level to \(own), or name another folder with storage.path for a new world"
        ])
    }

    // MARK: Names

    /// The version that made the skeletons of the world's names; nil = there are none yet.
    static func skeletonVersion(in store: Store) async throws -> [Int64]? {
        let answer = try await store.read([question(.skeletons)]).first
        // Earlier releases wrote two.
        return numbers(in: answer, count: 3) ?? numbers(in: answer, count: 2)
    }

    static func keeping(skeletonVersion version: [Int64]) -> Statement { keeping(.skeletons, version) }

    // MARK: Ledger

    /// Query for where the ledger ends.
    static var ledgerHead: Query { question(.ledger) }

    /// Reads the answer to `ledgerHead`; nil = the ledger is empty, or the row is not there or unreadable.
    static func ledger(in answer: [Row]) -> Ledger.Place? {
        guard let numbers = numbers(in: answer, count: 5) else { return nil }
        let bytes = numbers.dropFirst().flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        return Ledger.Place(number: numbers[0], mark: bytes.hexadecimal)
    }

    /// The same for `cairn verify`.
    static func ledgerEnd(in answer: [Row]) -> StoredTable.Link? {
        ledger(in: answer).map { StoredTable.Link(number: $0.number, before: "", mark: $0.mark) }
    }

    static func keeping(ledger place: Ledger.Place) -> Statement {
        let words = stride(from: 0, to: 64, by: 16).map { offset in
            let word = place.mark.dropFirst(offset).prefix(16)
            return Int64(bitPattern: UInt64(word, radix: 16) ?? 0)
        }
        return keeping(.ledger, [place.number] + words)
    }

    // MARK: Time

    /// The world's newest lasting time; nil in a new world. Stored times after `latest` are ignored.
    static func mark(
        in store: Store, of register: FeatureRegister, latest: LastingTime
    ) async throws -> FollowedTime.Mark? {
        let newest = Query(
            """
            SELECT max(
                coalesce((SELECT max(at) FROM kept_answers WHERE at < ?), 0),
                coalesce((SELECT max(used) FROM tokens WHERE used < ?), 0))
            """, .time(latest), .time(latest))
        let features = register.newestTimes(below: .time(latest))
        let answers = try await store.read([question(.time), newest] + features)
        let times = answers.dropFirst().map { (try? $0.first?.integer(0)) ?? 0 }
        var mark = FollowedTime.Mark(lasting: times.max() ?? 0)
        if let kept = numbers(in: answers[0], count: 2), kept[0] < latest.milliseconds {
            mark.lasting = max(mark.lasting, kept[0])
            mark.doubt = kept[1]
        }
        return mark.lasting > 0 ? mark : nil
    }

    static func keeping(_ mark: FollowedTime.Mark) -> Statement { keeping(.time, [mark.lasting, mark.doubt]) }
}
