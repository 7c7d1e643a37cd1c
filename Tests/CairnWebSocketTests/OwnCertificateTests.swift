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

    /// Of PKCS #8, and as OpenSSL wrote them before.
    private static let encryptedKeys = [
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgf/5rmOcqvSAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEJ743wM0GnyzcdoF5F8gAAAEQLfb
        hVvg76mzeqap2InQmoiOB6ku1uBW1vF+QtqMjNHD3TyqDPt8P8JCanvcR23XRJ5O
        0ZfZatKNUwdodfbc89s=
        -----END ENCRYPTED PRIVATE KEY-----

        """,
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,C929631D9757281AAC95BCD312106772

        aLvFX2H1nigK78xitoSvfACRY5P5pMq5G6oN3N9cLVe/s+8Vc61cizpkuCbkpigM
        ZPIakcH2/uzaRaeY7kmrCqKHV+zWcha3k7BTBcoVvxAFI0FlsZyfTMbDtyPH2/zp
        XbaO+v+atHBcY2LKoEcs3yS+zWA+wBb21cR7Ew+Hjjc=
        -----END EC PRIVATE KEY-----

        """,
    ]

    /// A question on the terminal would stop the loop that reads the key again.
    @Test(arguments: encryptedKeys)
    func encryptedKey_isRefusedBeforeAnybodyIsAsked(key: String) throws {
        let certificate = try #require(OwnCertificate.make(for: names))
        try withFile(certificate) { certificate in
            try withFile(key) { key in
                var options = LoopOptions()
                (options.tlsCertificatePath, options.tlsKeyPath) = (certificate, key)
                let error = #expect(throws: LoopError.self) { try WebSocketLoop(index: 0, options: options) }
                #expect(error?.cause.contains("the key \(key) is encrypted") == true)
            }
        }
    }
}
