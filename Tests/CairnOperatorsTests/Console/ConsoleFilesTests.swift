@testable import CairnConfiguration
import CairnCore
import Foundation
import Testing

@testable import CairnOperators
@testable import CairnWebSocket

@Suite("Console: its files")
struct ConsoleFilesTests {
    private static let resources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CairnOperators/Console/Resources").standardizedFileURL

    private func settings(_ change: (inout Configuration.Console) -> Void = { _ in }) -> Configuration.Console {
        var settings = Configuration.Console()
        change(&settings)
        return settings
    }

    private func head(host: String = "cairn.example:8080", tag: String = "", isTLS: Bool = false) -> HTTPHead {
        var head = HTTPHead(
            address: PeerAddress(high: 0, low: 1), method: "GET", path: "/console", host: host, isTLS: isTLS)
        head.ifNoneMatch = tag
        return head
    }

    private func bytes(_ content: HTTPContent?) -> [UInt8]? { content?.response(to: head()).shortBody }

    private func policy(_ settings: Configuration.Console, _ head: HTTPHead) throws -> String {
        let page = ConsolePages(files: ConsoleFiles(settings, playPath: nil), head: head, behindProxy: false).page
        return try #require(page.headers.first { $0.hasPrefix("Content-Security-Policy: ") })
    }

    @Test func everyFileOfTheFolder_isServedAsItIs() throws {
        let files = ConsoleFiles(settings(), playPath: nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.resources.path) {
            let bytes = try [UInt8](Data(contentsOf: Self.resources.appending(path: name)))
            switch name {
            case "signin.html": #expect(self.bytes(files.signIn) == bytes)
            case "console.html": #expect(self.bytes(files.page)?.isEmpty == false)
            default: #expect(self.bytes(files.asset(name)) == bytes, "\(name)")
            }
        }
        #expect(files.asset("../operator.credential") == nil)
        #expect(files.asset("") == nil)
    }

    @Test func withoutLeaflet_thePageAsksForNone() throws {
        let files = ConsoleFiles(settings(), playPath: nil)
        #expect(!files.hasMap)
        let page = try #require(bytes(files.page))
        #expect(!String(decoding: page, as: UTF8.self).contains("leaflet"))
    }

    @Test func leaflet_comesWithThePageForPlayers() throws {
        let play = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: play) }
        let library = play.appending(path: "lib")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        for name in ["leaflet.css", "leaflet.js", "leaflet-9.9.9.js", "three.js", "leaflet.txt"] {
            try Data(name.utf8).write(to: library.appending(path: name))
        }
        let files = ConsoleFiles(settings(), playPath: play.path)
        #expect(files.hasMap)
        for name in ["leaflet.css", "leaflet.js", "leaflet-9.9.9.js"] {
            #expect(bytes(files.asset(name)) == Array(name.utf8), "\(name)")
        }
        #expect(files.asset("three.js") == nil && files.asset("leaflet.txt") == nil)
    }

    @Test func policy_namesTheTilesHostAndNoOther() throws {
        let tiles = settings { $0.tileURL = "https://tiles.example:8443/a/{z}/{x}/{y}.png" }
        #expect(try policy(tiles, head()).contains("img-src 'self' data: https://tiles.example:8443;"))
        #expect(try policy(settings(), head()).contains("img-src 'self' data:;"))
    }

    @Test func policy_allowsTheSocketOfTheHostThatWasAskedFor() throws {
        #expect(try policy(settings(), head()).contains("connect-src 'self' ws://cairn.example:8080;"))
        #expect(try policy(settings(), head(isTLS: true)).contains("connect-src 'self' wss://cairn.example:8080;"))
        #expect(try policy(settings(), head(host: "a; script-src *")).contains("connect-src 'self';"))
    }

    @Test func tag_savesTheBytesUntilTheyChange() throws {
        let files = ConsoleFiles(settings(), playPath: nil)
        let tag = "\"\(try #require(files.page.tag))\""
        #expect(ConsolePages(files: files, head: head(tag: tag), behindProxy: false).page.status == 304)
        #expect(ConsolePages(files: files, head: head(tag: "\"other\""), behindProxy: false).page.status == 200)
        // Who is not in is told so, whatever the browser has kept.
        #expect(ConsolePages(files: files, head: head(tag: "*"), behindProxy: false).signIn.status == 403)
    }

    @Test(arguments: [
        "https://tiles.example/{z}/{x}/{y}.png", "http://127.0.0.1:9000/{z}/{x}/{y}",
        "https://t.example/{z}/{y}/{x}?k=1",
    ])
    func tileURL_ofOneHost_isTaken(_ url: String) { #expect(SettingForm.tileURL.accepts(url)) }

    @Test(arguments: [
        "https://{s}.tiles.example/{z}/{x}/{y}.png", "https://tiles.example/{z}/{x}.png", "/tiles/{z}/{x}/{y}.png",
        "ftp://tiles.example/{z}/{x}/{y}.png", "https://tiles.example;script-src/{z}/{x}/{y}.png",
        "https://*.example/{z}/{x}/{y}.png", "https://a:b@tiles.example/{z}/{x}/{y}.png",
        "https://tiles.example/{z}/{x}/{y}.png 'unsafe-inline'", "https://{z}.example/{x}/{y}.png",
    ])
    func tileURL_ofAnythingElse_isRefused(_ url: String) { #expect(!SettingForm.tileURL.accepts(url)) }
}
