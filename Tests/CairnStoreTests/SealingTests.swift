import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnStore

/// DAT-7: what a stolen file tells, and who may open it.
@Suite("Sealing")
struct SealingTests {
    private static let seal = Seal("people")
    private static let other = Seal("people.other")
    private static let people = Migration(
        "people-1", "CREATE TABLE people (id INTEGER PRIMARY KEY, name BLOB, cell INTEGER, sealed BLOB) STRICT")

    private static func person(_ id: Int64, _ name: String, cell: UInt64 = 7, at: Double = 0) -> Statement {
        Statement(
            "INSERT INTO people (id, name, cell, sealed) VALUES (?, ?, ?, ?)", .integer(id), .fingerprint(name, seal),
            .pseudonym(cell, seal), .sealed([.text(name), .real(at), .integer(-1), .null, .blob([1])], seal, row: id))
    }

    private static let everybody = Query("SELECT id, sealed FROM people ORDER BY id", opening: Opening(1, seal, row: 0))

    private static func named(_ name: String) -> Query {
        Query("SELECT id FROM people WHERE name = ?", .fingerprint(name, seal))
    }

    @Test func sealedValues_comeBack() async throws {
        let store = try await TemporaryDatabase().open([Self.people])
        try await store.commit([Self.person(1, "Ada", at: 1.5)])
        let row = try await store.read([Self.everybody])[0][0].opened(1)
        #expect(row.values == [.text("Ada"), .real(1.5), .integer(-1), .null, .blob([1])])
    }

    @Test func nameAndCell_areFound() async throws {
        let store = try await TemporaryDatabase().open([Self.people])
        try await store.commit([Self.person(1, "Ada", cell: 5), Self.person(2, "Bob", cell: 6)])
        #expect(try await store.read([Self.named("Bob")])[0].map { try $0.integer(0) } == [2])
        let inCell = Query("SELECT id FROM people WHERE cell = ?", .pseudonym(5, Self.seal))
        #expect(try await store.read([inCell])[0].map { try $0.integer(0) } == [1])
    }

    @Test func sameValue_isNeverSealedAlike() async throws {
        let store = try await TemporaryDatabase().open([Self.people])
        try await store.commit([Self.person(1, "Ada"), Self.person(2, "Ada")])
        let rows = try await store.read([Query("SELECT sealed, name FROM people")])[0]
        #expect(try rows[0].blob(0) != rows[1].blob(0))
        #expect(try rows[0].blob(1) == rows[1].blob(1))
    }

    @Test func fingerprintsOfTwoSeals_differ() async throws {
        let store = try await TemporaryDatabase().open([Self.people])
        try await store.commit([
            Statement(
                "INSERT INTO people (name, sealed) VALUES (?, ?)", .fingerprint("Ada", Self.seal),
                .fingerprint("Ada", Self.other))
        ])
        let row = try await store.read([Query("SELECT name, sealed FROM people")])[0][0]
        #expect(try row.blob(0).count == 16 && row.blob(0) != row.blob(1))
    }

    @Test(arguments: [
        "UPDATE people SET sealed = (SELECT sealed FROM people WHERE id = 2) WHERE id = 1",
        "UPDATE people SET sealed = substr(sealed, 1, length(sealed) - 1) WHERE id = 1",
        "UPDATE people SET sealed = x'00' WHERE id = 1",
        "UPDATE people SET sealed = CAST(sealed || x'00' AS BLOB) WHERE id = 1",
    ])
    func rowThatWasTamperedWith_doesNotOpen(sql: String) async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open([Self.people])
        try await store.commit([Self.person(1, "Ada"), Self.person(2, "Bob")])
        try await store.tamper(sql)
        let rows = try await store.read([Self.everybody])[0]
        #expect(throws: ColumnFault(1, .doesNotOpen)) { try rows[0].opened(1) }
        #expect(try rows[1].opened(1).text(0) == "Bob", "the rest is served")
    }

    /// Every form in which the probe could stand somewhere: text, doubles and cells in both orders, decimals.
    private static func traces(name: String, number: Double, cell: UInt64) -> [Data] {
        func bytes(_ bits: UInt64) -> [Data] {
            [bits.littleEndian, bits.bigEndian].map { withUnsafeBytes(of: $0) { Data($0) } }
        }
        let texts = [
            name, name.lowercased(), "\(number)", String(cell, radix: 16), "\(cell)", "\(Int64(bitPattern: cell))",
        ]
        return texts.map { Data($0.utf8) } + bytes(number.bitPattern) + bytes(cell)
    }

    @Test func stolenFiles_tellNoNameTextOrPosition() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open([Self.people])
        let (name, number, cell) = ("Zaphod-Beeblebrox", 43.651_070_1, UInt64(0x89c2_5a31_4000_0000))
        for id in Int64(1)...200 { try await store.commit([Self.person(id, name, cell: cell, at: number)]) }
        let report = try await store.backUp(to: place.folder + "/copy.sqlite")
        let crash = try place.crashed()
        await store.close()
        let files = [place.bytes, crash.bytes, crash.logBytes, try Data(contentsOf: URL(fileURLWithPath: report.path))]
        for trace in Self.traces(name: name, number: number, cell: cell) {
            for (index, file) in files.enumerated() {
                #expect(file.count >= 4_096 && file.range(of: trace) == nil, "file \(index) holds \(Array(trace))")
            }
        }
        // The search does find what is there: the log of a store that keeps the same in the clear.
        let open = try TemporaryDatabase()
        let careless = try await open.open([Self.people])
        try await careless.commit([Statement("INSERT INTO people (sealed) VALUES (?)", .blob(Array(name.utf8)))])
        #expect(open.logBytes.range(of: Data(name.utf8)) != nil)
    }

    @Test func otherKey_isRefused_andTheFileLeftAlone() async throws {
        let place = try TemporaryDatabase()
        try await place.open([Self.people]).close()
        let before = place.bytes
        await #expect {
            try await place.open([Self.people]) { $0.keys = .memory(.throwAway()) }
        } throws: { error in
            let error = error as? StoreError
            return error?.kind == .key && error?.remedy.contains("storage.keyFile") == true
        }
        #expect(place.bytes == before)
    }

    @Test func missingKeyFile_isRefused_andNoneIsMade() async throws {
        let place = try TemporaryDatabase()
        let keyFile = KeyFile(path: place.folder + "/keys/cairn.key")
        try await place.open([Self.people]) { $0.keys = .file(keyFile.path) }.close()
        try FileManager.default.moveItem(atPath: keyFile.path, toPath: keyFile.path + ".away")
        await #expect {
            try await place.open([Self.people]) { $0.keys = .file(keyFile.path) }
        } throws: { error in
            let error = error as? StoreError
            return error?.kind == .key && error?.operation.contains(keyFile.path) == true
        }
        #expect(!keyFile.exists)
    }

    @Test func newWorld_makesAKeyFileForItsOwner_andSaysSo() async throws {
        let place = try TemporaryDatabase()
        let path = place.folder + "/keys/cairn.key"
        let store = try await place.open([Self.people]) { $0.keys = .file(path) }
        #expect(await place.log.line(with: "without it the data cannot be read").contains(path))
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        await store.close()
    }

    @Test(arguments: ["", "cairn-key-1 AAAA\n", "hello\n", "cairn-key-2 \(Data(count: 32).base64EncodedString())\n"])
    func keyFileThatIsNone_isRefused(text: String) async throws {
        let place = try TemporaryDatabase()
        let path = place.folder + "/cairn.key"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        await #expect {
            try await place.open {
                $0.keys = .file(path)
                $0.isNewWorld = true
            }
        } throws: { ($0 as? StoreError)?.kind == .key }
    }

    @Test func rotatedKey_takesOver_andTheOldOneIsNeededNoMore() async throws {
        let place = try TemporaryDatabase()
        let file = KeyFile(path: place.folder + "/cairn.key")
        let first = try await place.open([Self.people]) { $0.keys = .file(file.path) }
        try await first.commit([Self.person(1, "Ada")])
        await first.close()
        let old = try file.read()
        try file.rotate()
        try await place.open([Self.people]) { $0.keys = .file(file.path) }.close()
        let newest = MasterKeys([try file.read().newest])
        let store = try await place.open([Self.people]) { $0.keys = .memory(newest) }
        #expect(try await store.read([Self.everybody])[0][0].opened(1).text(0) == "Ada")
        #expect(try await store.read([Self.named("Ada")])[0].count == 1)
        await store.close()
        await #expect(throws: StoreError.self) { try await place.open([Self.people]) { $0.keys = .memory(old) } }
    }

    @Test func unsealedDatabase_isRefused() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.tamper("DELETE FROM grdb_migrations WHERE identifier = 'store-keys-1'")
        try await store.tamper("DROP TABLE cairn_keys")
        await store.close()
        await #expect { try await place.open() } throws: { error in
            let error = error as? StoreError
            return error?.kind == .key && error?.cause.contains("before Cairn sealed") == true
        }
    }

    @Test func wornKey_isFollowedByAnother_andBothOpen() async throws {
        let store = try await TemporaryDatabase().open([Self.people])
        try await store.commit([Self.person(1, "Ada")])
        try await store.withWriter { writer in
            try writer.lend { connection in
                let keyring = try #require(connection.keyring)
                try connection.renewKey(of: keyring, with: writer.masters, now: 0)
            }
        }
        try await store.commit([Self.person(2, "Bob")])
        let rows = try await store.read([Self.everybody, Query("SELECT sealed FROM people ORDER BY id")])
        #expect(try rows[0].map { try $0.opened(1).text(0) } == ["Ada", "Bob"])
        #expect(try rows[1][0].blob(0)[1] != rows[1][1].blob(0)[1])
    }
}

extension Store {
    /// Runs SQL as somebody would who has the file.
    func tamper(_ sql: String) async throws {
        try withWriter { writer in
            try writer.lend { connection in
                try connection.lend("test") { db in _ = try db.run(sql, [], keyring: nil) }
            }
        }
    }
}
