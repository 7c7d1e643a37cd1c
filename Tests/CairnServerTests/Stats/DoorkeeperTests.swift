import CairnTesting
import Foundation
import Testing

@testable import CairnServer

@Suite("Stats: the operators' door")
struct DoorkeeperTests {
    private let secret = "correct-horse-battery-staple"
    private var doorkeeper: Doorkeeper { Doorkeeper(credential: secret) }

    @Test func credential_opens() {
        #expect(doorkeeper.admits(authorization: "Bearer \(secret)", cookie: ""))
        #expect(doorkeeper.admits(authorization: "bearer \(secret)", cookie: ""))
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer correct-horse-battery-stapl", "Bearer correct-horse-battery-staplee",
        "Basic correct-horse-battery-staple", "correct-horse-battery-staple", "Bearer  correct-horse-battery-staple",
    ])
    func anythingElse_doesNot(_ header: String) {
        #expect(!doorkeeper.admits(authorization: header, cookie: ""))
    }

    @Test func endlessCredential_isNotEvenLookedAt() {
        #expect(!doorkeeper.admits(authorization: "Bearer " + String(repeating: "x", count: 1_000_000), cookie: ""))
    }

    @Test func link_opensOnce() throws {
        let doorkeeper = doorkeeper
        let link = doorkeeper.makeLink()
        let cookie = try #require(doorkeeper.enter(link: link))
        #expect(doorkeeper.enter(link: link) == nil)
        #expect(doorkeeper.admits(authorization: "", cookie: "a=b; \(doorkeeper.cookieName)=\(cookie); c=d"))
    }

    @Test func cookie_ofOneWhoHasSignedOut_doesNotOpen() {
        let doorkeeper = doorkeeper
        let (gone, other) = (doorkeeper.makeCookie(), doorkeeper.makeCookie())
        doorkeeper.forget(cookie: "a=b; \(doorkeeper.cookieName)=\(gone)")
        #expect(!doorkeeper.admits(authorization: "", cookie: "\(doorkeeper.cookieName)=\(gone)"))
        #expect(doorkeeper.admits(authorization: "", cookie: "\(doorkeeper.cookieName)=\(other)"))
    }

    @Test func cookie_ofAnotherServer_doesNotOpen() {
        let doorkeeper = doorkeeper
        let cookie = Doorkeeper(credential: "another-secret-of-length").makeCookie()
        #expect(!doorkeeper.admits(authorization: "", cookie: "\(doorkeeper.cookieName)=\(cookie)"))
        #expect(!doorkeeper.admits(authorization: "", cookie: "\(doorkeeper.cookieName)=\(secret)"))
        #expect(Doorkeeper(credential: "another-secret-of-length").cookieName != doorkeeper.cookieName)
    }

    @Test func links_areFew() {
        let doorkeeper = doorkeeper
        let first = doorkeeper.makeLink()
        for _ in 0..<20 { _ = doorkeeper.makeLink() }
        #expect(doorkeeper.enter(link: first) == nil)
    }

    @Test func setCookie_keepsScriptsAndOtherSitesOut() {
        let header = doorkeeper.setCookie("value", isSecure: true)
        for word in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] { #expect(header.contains(word)) }
        #expect(!doorkeeper.setCookie("value", isSecure: false).contains("; Secure"))
    }

    // MARK: The kept credential

    @Test func credential_isMadeOnceAndKeptForItsOwner() throws {
        let folder = try TemporaryFolder()
        let first = try OperatorCredential(configured: nil, folder: folder.path)
        let again = try OperatorCredential(configured: nil, folder: folder.path)
        #expect(first.isNew && !again.isNew)
        #expect(first.secret == again.secret && first.secret.count == 43)
        let path = try #require(first.path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func credential_thatOthersCanRead_isRefused() throws {
        let folder = try TemporaryFolder()
        let path = try #require(OperatorCredential(configured: nil, folder: folder.path).path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: StatsError.self) { try OperatorCredential(configured: nil, folder: folder.path) }
    }

    @Test func credential_thatWasSet_isNotWrittenAnywhere() throws {
        let folder = try TemporaryFolder()
        let credential = try OperatorCredential(configured: secret, folder: folder.path)
        #expect(credential.path == nil && !credential.isNew)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
