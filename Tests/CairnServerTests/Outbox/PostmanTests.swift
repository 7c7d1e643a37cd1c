import CairnAdaptors
import CairnConfiguration
import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Foundation
import Logging
import Testing

@testable import CairnServer

/// Mails go to a durable outbox and are sent with retry (NTF-3).
@Suite("Outbox of mails (NTF-3)", .timeLimit(.minutes(10)))
struct PostmanTests {
    private struct Bench {
        let store: TemporaryStore
        let adaptors: Adaptors
        let postman: Postman
        let clock = ServerClock()
        var mailFolder: String { store.folder.path + "/mails" }

        static func make(mail: AdaptorSettings.Source = .builtin) async throws -> Bench {
            let store = try await TemporaryStore.open(
                migrations: OutboxEntry.migrations + StoredNotification.migrations)
            var settings = AdaptorSettings()
            settings.sources = [.mail: mail]
            settings.mailFolder = store.folder.path + "/mails"
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let adaptors = Adaptors(settings: settings, logger: logger)
            await adaptors.apply(settings, logger: logger)
            let postman = Postman(
                store: store.store, adaptors: adaptors, clock: ServerClock(), identifiers: IdentifierIssuer(),
                configuration: Configuration(), logger: logger)
            return Bench(store: store, adaptors: adaptors, postman: postman)
        }

        func write(_ number: UInt64, to recipient: String, lasting: Duration = .seconds(60)) async throws {
            try await store.commit([
                OutboxEntry.mail(
                    OutboxID(rawValue: number), kind: "test", to: recipient, subject: "Hello", text: "Hello",
                    at: clock.lasting, until: clock.lasting + lasting)
            ])
        }

        /// Runs the postman until the condition holds; false after ten seconds.
        func runs(until condition: () async throws -> Bool) async rethrows -> Bool {
            let running = Task { await postman.run() }
            defer { running.cancel() }
            return try await soon(condition)
        }

        var waiting: Int64 {
            get async throws { try await store.read(OutboxEntry.summary(.mail))[0][0].integer(0) }
        }

        var files: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: mailFolder))?.sorted() ?? []
        }
    }

    @Test func mails_areSentOnceAndDeleted() async throws {
        let bench = try await Bench.make()
        for number in 1...50 { try await bench.write(UInt64(number), to: "ada@example.org") }
        #expect(try await bench.runs { try await bench.waiting == 0 })
        #expect(bench.files.count == 50)
        #expect(bench.postman.figures(.mail).sent == 50)
    }

    @Test func refusedMail_isDeletedAndCounted() async throws {
        let bench = try await Bench.make()
        try await bench.write(1, to: "refused@example.org")
        #expect(try await bench.runs { try await bench.waiting == 0 })
        #expect(bench.postman.figures(.mail).refused == 1 && bench.postman.figures(.mail).sent == 0)
    }

    @Test func failedMail_waitsForItsNextAttempt() async throws {
        let bench = try await Bench.make()
        try await bench.write(1, to: "failing@example.org")
        #expect(await bench.runs { bench.postman.figures(.mail).failedAttempts == 2 })
        #expect(try await bench.waiting == 1)
    }

    @Test func expiredMail_isGivenUp() async throws {
        let bench = try await Bench.make()
        try await bench.write(1, to: "failing@example.org", lasting: .milliseconds(200))
        #expect(try await bench.runs { try await bench.waiting == 0 })
        #expect(bench.postman.figures(.mail).givenUp == 1)
    }

    @Test func decoy_isDeletedWithoutBeingSent() async throws {
        let bench = try await Bench.make()
        try await bench.write(1, to: "")
        #expect(try await bench.runs { try await bench.waiting == 0 })
        #expect(bench.files.isEmpty)
        #expect(bench.postman.figures(.mail).sent == 0)
    }

    @Test func adaptorThatIsOff_givesMailsUp() async throws {
        let bench = try await Bench.make(mail: .off)
        try await bench.write(1, to: "ada@example.org")
        #expect(try await bench.runs { try await bench.waiting == 0 })
        #expect(bench.postman.figures(.mail).givenUp == 1)
    }

    @Test func adaptorsThatAreStopped_loseNoMail() async throws {
        let bench = try await Bench.make()
        await bench.adaptors.stop()
        try await bench.write(1, to: "ada@example.org")
        await bench.postman.look()
        #expect(await bench.runs { bench.adaptors.figures["mail"]?.failed[.stopped] ?? 0 > 0 })
        #expect(try await bench.waiting == 1)
    }

    @Test func damagedMail_isReportedAndPassedOver() async throws {
        let bench = try await Bench.make()
        try await bench.write(1, to: "ada@example.org")
        try await bench.store.commit([Statement("UPDATE outbox SET kind = 'other' WHERE id = 1")])
        try await bench.write(2, to: "bob@example.org")
        #expect(try await bench.runs { try await bench.waiting == 1 })
        #expect(bench.files.count == 1)
        #expect(bench.store.store.damage.count == 1)
        let due = OutboxEntry.due(.mail, at: bench.clock.lasting, countMax: 10)
        #expect(try await bench.store.read(due)[0].isEmpty)
    }

    @Test func pauses_grow() {
        let pauses = [0, 1, 5, 9, 10, 60].map { attempts in OutboxEntry.pause(after: attempts) }
        #expect(pauses == [1, 2, 32, 512, 600, 600].map { Duration.seconds($0) })
    }
}
