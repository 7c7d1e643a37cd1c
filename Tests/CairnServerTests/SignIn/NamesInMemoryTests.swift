import CairnCore
import CairnNames
@testable import CairnRoot
@testable import CairnServer
import CairnStore
import CairnTesting
import CairnWire
import Foundation
import Logging
import Testing
@testable import CairnServer

/// The names that the server reads when it starts, and what many of them cost (FRD-1).
@Suite("Server: names in memory", .serialized)
struct NamesInMemoryTests {
    private static let logger = Logger(label: "names") { _ in SwiftLogNoOpLogHandler() }

    /// `CAIRN_NAMES=1000000` gives the figures of decision 0030.
    private static let count = Int(ProcessInfo.processInfo.environment["CAIRN_NAMES"] ?? "") ?? 20_000
    /// Where the world is kept, so that a server can be started on it.
    private static let kept = ProcessInfo.processInfo.environment["CAIRN_NAMES_KEPT"]

    @Test(.timeLimit(.minutes(10))) func manyNames_areReadAndFoundInTime() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        let identifiers = IdentifierIssuer()
        let now = WallTime(milliseconds: 1_795_000_000_000)
        let began = ContinuousClock.now
        var middle = AccountID(rawValue: 0)
        for first in stride(from: 0, to: Self.count, by: 5_000) {
            let statements = (first..<min(first + 5_000, Self.count)).map { number in
                let id = identifiers.next(AccountTag.self, at: now)
                if number == Self.count / 2 { middle = id }
                let name = Self.name(number)
                return AccountRecord(id: id, name: name, foldedName: Username(name).compared, now: now).insertion
            }
            try await world.store.commit(statements)
        }
        let writing = ContinuousClock.now - began
        if let kept = Self.kept { try FileManager.default.copyItem(atPath: world.folder.path, toPath: kept) }
        let before = ProcessMemory.read().ownBytes
        let names = NameDirectory(Settings(), privacy: .friends)
        let reading = try await ContinuousClock().measure {
            try await names.fill(
                from: world.store, suspensions: try await Suspensions(store: world.store), listed: nil, offered: nil,
                logger: Self.logger)
        }
        let bytes = ProcessMemory.read().ownBytes - before
        #expect(names.people.count == Self.count)
        #expect(names.people.name(of: middle) == Self.name(Self.count / 2))
        var searches: [Duration] = []
        for number in stride(from: 0, to: Self.count, by: max(1, Self.count / 2_000)) {
            let prefix = String(Self.name(number).lowercased().prefix(2 + number % 7))
            var found: [NameIndex<AccountTag>.Entry] = []
            searches.append(ContinuousClock().measure { found = names.people.entries(beginningWith: prefix, max: 20) })
            #expect(!found.isEmpty && found.allSatisfy { $0.name.lowercased().hasPrefix(prefix) })
        }
        searches.sort()
        let p95 = searches[searches.count * 95 / 100]
        print("\(Self.count) names: read in \(reading), \(bytes / max(1, Self.count)) bytes each, search p95 \(p95)")
        var others = 0
        let looking = ContinuousClock().measure {
            for number in 0..<Self.count where Self.name(number).lowercased().hasPrefix("zz") { others += 1 }
        }
        #expect(p95 < looking / 10, "all \(Self.count) names are looked through in \(looking); \(others) fit")
        #expect(reading < writing * 20, "they were written in \(writing)")
    }

    /// Names of 7 to 14 letters in many beginnings.
    private static func name(_ number: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let head = (0..<3).map { String(letters[Int(mixed >> UInt64(8 * $0) & 0xFF) % 26]) }.joined()
        return "\(number.isMultiple(of: 3) ? head.uppercased() : head).\(number)"
    }
}
