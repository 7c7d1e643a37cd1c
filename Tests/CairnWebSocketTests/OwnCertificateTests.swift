import Foundation
import Testing

@testable import CairnWebSocket

/// Certificates that a server makes for itself.
@Suite("Own certificates")
struct OwnCertificateTests {
    private let names = ["localhost", "192.168.1.20", "fd00::20", "cairn-laptop"]

    /// Keeps a text in a file while `body` looks at it.
    private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    @Test func certificate_isGoodForItsNamesAndForNoOthers() throws {
        try withFile(#require(OwnCertificate.make(for: names))) { path in
            #expect(OwnCertificate.fits(path, for: names))
            for name in names { #expect(OwnCertificate.fits(path, for: [name])) }
            for other in ["192.168.1.21", "fd00::21", "cairn-laptop.local", "example.org"] {
                #expect(!OwnCertificate.fits(path, for: names + [other]))
            }
        }
    }

    @Test func certificate_thatEndsSoonOrHasEnded_doesNotFit() throws {
        let spare = OwnCertificate.spareDays
        for (days, fits) in [(spare + 1, true), (spare - 1, false), (-1, false)] {
            try withFile(#require(OwnCertificate.make(for: names, validDays: days))) { path in
                #expect(OwnCertificate.fits(path, for: names) == fits, "\(days) days")
            }
        }
    }

    @Test func certificate_withAnotherKey_withoutOneOrCutOff_doesNotFit() throws {
        let (one, other) = (
            try #require(OwnCertificate.make(for: names)), try #require(OwnCertificate.make(for: names))
        )
        let mark = "-----BEGIN PRIVATE KEY-----"
        let halves = [one, other].map { $0.components(separatedBy: mark) }
        #expect(halves.allSatisfy { $0.count == 2 })
        for damaged in [halves[0][0] + mark + halves[1][1], halves[0][0], mark + halves[0][1], "", "nonsense"] {
            try withFile(damaged) { #expect(!OwnCertificate.fits($0, for: names)) }
        }
        #expect(!OwnCertificate.fits("/nonexistent/lan.pem", for: names))
    }

    @Test func eachCertificate_hasAKeyOfItsOwn() {
        #expect(OwnCertificate.make(for: names) != OwnCertificate.make(for: names))
    }
}
