import CairnTesting
import CairnWebSocket
import Foundation
import Testing

@testable import CairnOperators

@Suite("Stats: the operators' door")
struct OperatorAuthenticationTests {
    private let secret = "correct-horse-battery-staple"
    private var authentication: OperatorAuthentication { OperatorAuthentication(credential: secret) }

    @Test func credential_opens() {
        #expect(authentication.admits(authorization: "Bearer \(secret)", cookie: ""))
        #expect(authentication.admits(authorization: "bearer \(secret)", cookie: ""))
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer correct-horse-battery-stapl", "Bearer correct-horse-battery-staplee",
        "Basic correct-horse-battery-staple", "correct-horse-battery-staple", "Bearer  correct-horse-battery-staple",
    ])
    func anythingElse_doesNot(_ header: String) {
        #expect(!authentication.admits(authorization: header, cookie: ""))
    }

    @Test func endlessCredential_isNotEvenLookedAt() {
        #expect(!authentication.admits(authorization: "Bearer " + String(repeating: "x", count: 1_000_000), cookie: ""))
    }

    @Test func link_opensOnce() throws {
        let authentication = authentication
        let link = authentication.makeLink()
        let cookie = try #require(authentication.enter(link: link))
        #expect(authentication.enter(link: link) == nil)
        #expect(authentication.admits(authorization: "", cookie: "a=b; \(authentication.cookieName)=\(cookie); c=d"))
    }

    @Test func cookie_ofOneWhoHasSignedOut_doesNotOpen() {
        let authentication = authentication
        let (gone, other) = (authentication.makeCookie(), authentication.makeCookie())
        authentication.forget(cookie: "a=b; \(authentication.cookieName)=\(gone)")
        #expect(!authentication.admits(authorization: "", cookie: "\(authentication.cookieName)=\(gone)"))
        #expect(authentication.admits(authorization: "", cookie: "\(authentication.cookieName)=\(other)"))
    }

    @Test func cookie_ofAnotherServer_doesNotOpen() {
        let authentication = authentication
        let cookie = OperatorAuthentication(credential: "another-secret-of-length").makeCookie()
        #expect(!authentication.admits(authorization: "", cookie: "\(authentication.cookieName)=\(cookie)"))
        #expect(!authentication.admits(authorization: "", cookie: "\(authentication.cookieName)=\(secret)"))
        #expect(OperatorAuthentication(credential: "another-secret-of-length").cookieName != authentication.cookieName)
    }

    @Test func links_areFew() {
        let authentication = authentication
        let first = authentication.makeLink()
        for _ in 0..<20 { _ = authentication.makeLink() }
        #expect(authentication.enter(link: first) == nil)
    }

    @Test func setCookie_keepsScriptsAndOtherSitesOut() {
        let header = authentication.setCookie("value", isSecure: true)
        for word in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] { #expect(header.contains(word)) }
        #expect(!authentication.setCookie("value", isSecure: false).contains("; Secure"))
    }

    @Test func passOfACookie_endsWithIt_andNamesNoSecret() throws {
        let authentication = authentication
        let value = authentication.makeCookie()
        let cookie = "\(authentication.cookieName)=\(value)"
        let pass = authentication.pass(authorization: "", cookie: cookie, from: peer)
        let kept = try #require(pass.cookie)
        #expect(authentication.admits(kept))
        #expect(pass.name.hasPrefix("the console, sign-in ") && pass.name.hasSuffix("from 192.0.2.7"))
        #expect(!pass.name.contains(value))
        authentication.forget(cookie: cookie)
        #expect(!authentication.admits(kept))
    }

    @Test func passOfTheCredential_lasts() {
        let pass = authentication.pass(authorization: "Bearer \(secret)", cookie: "", from: peer)
        #expect(pass.cookie == nil && pass.name == "the credential, from 192.0.2.7")
    }

    @Test func passOfTheSocket_namesTheUser() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        let user = try #require(getpwuid(geteuid())).pointee
        #expect(OperatorPass(socket: ends[0]).name.hasPrefix(String(cString: user.pw_name)))
    }

    private let peer = PeerAddress(high: 0, low: 0xFFFF_C000_0207)
}
