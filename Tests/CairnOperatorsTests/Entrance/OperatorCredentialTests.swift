import CairnTesting
import Foundation
import Logging
import Synchronization
import Testing

@testable import CairnOperators

@Suite("Stats: where the operators' credential is kept")
struct OperatorCredentialTests {
    private let secret = "correct-horse-battery-staple"
    private let other = "planted-by-somebody-else"
    private let folder: TemporaryFolder
    private let told = Told()

    private final class Told: Sendable {
        private let kept = Mutex<[(level: Logger.Level, text: String)]>([])

        var lines: [(level: Logger.Level, text: String)] { kept.withLock { $0 } }

        func add(_ level: Logger.Level, _ text: String) { kept.withLock { $0.append((level, text)) } }
        func forget() { kept.withLock { $0 = [] } }
    }

    private struct Listener: LogHandler {
        let told: Told
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { told.add(event.level, event.message.description) }
    }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "key"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try Data("a key".utf8).write(to: URL(fileURLWithPath: key))
    }

    private var key: String { folder.path + "/key/cairn.key" }
    private var former: String { folder.path + "/data/operator.credential" }
    private var place: CredentialPlace { CredentialPlace(folder: folder.path + "/data", keyFile: key) }

    private func start(_ configured: String? = nil, at place: CredentialPlace? = nil) throws -> OperatorCredential {
        told.forget()
        let told = told
        let logger = Logger(label: "test") { _ in Listener(told: told) }
        return try OperatorCredential(configured: configured, place: place ?? self.place, logger: logger)
    }

    private func plant(_ text: String) throws {
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: former))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: former)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private var data: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data") }
    }

    @Test func credential_isMadeOnce_besideTheKey_andNothingOfItIsInTheDataFolder() throws {
        let first = try start()
        let again = try start()
        #expect(first.secret == again.secret && first.secret.utf8.count >= 20)
        #expect(first.isNew && !again.isNew)
        #expect(first.path == key + ".operator" && again.path == first.path)
        #expect(try data.isEmpty && mode(key + ".operator") == 0o600)
    }

    @Test func credentialOfTheDataFolder_isMovedOnce_andGoesOnWorking() throws {
        try plant(secret)
        let moved = try start()
        #expect(moved.secret == secret && !moved.isNew && moved.path == key + ".operator")
        #expect(try data.isEmpty && mode(key + ".operator") == 0o600)
        #expect(told.lines.map(\.level) == [.notice] && told.lines[0].text.contains("was moved from \(former)"))
        #expect(try start().secret == secret && told.lines.isEmpty)
    }

    @Test func fileThatIsPutIntoTheDataFolder_isNotAccepted_andNamed() throws {
        try plant(secret)
        _ = try start()
        try plant(other)
        #expect(try start().secret == secret)
        #expect(told.lines.map(\.level) == [.error] && told.lines[0].text.contains("\(former) is not accepted"))
        #expect(try OperatorCredential.complaint(at: place)?.contains("Remove the file") == true)
        // Also not when the operators' own has been removed, so that another is made.
        try FileManager.default.removeItem(atPath: key + ".operator")
        let renewed = try start()
        #expect(renewed.isNew && ![secret, other].contains(renewed.secret))
    }

    @Test func fileThatIsPutBesideASetCredential_isNeverAccepted() throws {
        #expect(try start(secret).secret == secret)
        try plant(other)
        #expect(try start(secret).path == nil)
        #expect(try start().secret != other)
    }

    @Test func copyOfTheSameThatComesBack_isDeleted() throws {
        try plant(secret)
        _ = try start()
        try plant(secret)
        #expect(try start().secret == secret && data.isEmpty)
    }

    @Test func keyBesideWhichNothingCanBeWritten_keepsNone_andTakesNoneOfTheDataFolder() throws {
        try plant(other)
        let readOnly = CredentialPlace(folder: folder.path + "/data", keyFile: "/sys/cairn.key")
        let first = try start(at: readOnly)
        #expect(first.path == nil && first.secret != other)
        #expect(told.lines.contains { $0.level == .warning && $0.text.contains("Set stats.credential") })
        #expect(try start(at: readOnly).secret != first.secret)
    }

    @Test func secondWorldOfAKey_hasTheSameCredential_andIsNewToItsOperators() throws {
        let first = try start()
        let second = CredentialPlace(folder: folder.path + "/other", keyFile: key)
        let other = try start(at: second)
        #expect(other.secret == first.secret && other.isNew)
        #expect(try !start(at: second).isNew && !start().isNew)
    }

    @Test func worldWithoutAKeyFile_keepsItInItsFolder() throws {
        let demo = CredentialPlace(folder: folder.path + "/data", keyFile: nil)
        let first = try start(at: demo)
        #expect(first.path == former)
        #expect(try start(at: demo).secret == first.secret)
    }

    @Test(arguments: ["key/cairn.key.operator", "data/operator.credential"])
    func fileThatOthersCanRead_isRefused(_ name: String) throws {
        let path = folder.path + "/" + name
        try Data((secret + "\n").utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: StatsError.self) { try start() }
        #expect(throws: StatsError.self) { try OperatorCredential.complaint(at: place) }
    }

    @Test func credential_thatWasSet_isNotWrittenAnywhere() throws {
        let credential = try start(secret)
        #expect(credential.path == nil && !credential.isNew)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for file in files where !file.hasSuffix("data") && !file.hasSuffix("key") {
            let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
            #expect(!text.contains(secret))
        }
    }
}
