import CairnConfiguration
import CairnTesting
import CairnWebSocket
import Foundation
import Testing

@testable import CairnPlay

@Suite("Play: its files")
struct PlayFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ path: String, _ text: String) throws {
        let file = URL(filePath: "\(folder.path)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func text(_ path: String) -> String? {
        let head = HTTPHead(address: PeerAddress(high: 0, low: 1), method: "GET", path: "/play/" + path)
        let response = PlayFiles(folder: folder.path).content(path)?.response(to: head)
        guard case .bytes(let bytes)? = response?.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func files_areServedByTheirPath_andHaveATypeOfTheWeb() throws {
        try write("play/js/main.js", "a")
        try write("lib/countries.json", "{}")
        #expect(text("play/js/main.js") == "a")
        #expect(text("lib/countries.json") == "{}")
        let files = PlayFiles(folder: folder.path)
        #expect(files.content("play/js/main.js")?.contentType == "text/javascript; charset=utf-8")
        #expect(files.content("lib/countries.json")?.contentType == "application/json")
    }

    @Test func nothingElse_isServed() throws {
        try write("secret.js", "outside")
        try write("in/play/index.html", "inside")
        try write("in/play/.hidden.js", "hidden")
        try write("in/play/key.pem", "no file of a page")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/in/play/link.js", withDestinationPath: "\(folder.path)/secret.js")
        let files = PlayFiles(folder: folder.path + "/in")
        #expect(files.content("play/index.html") != nil)
        let others = [
            "../secret.js", "play/../../secret.js", "play/.hidden.js", "play/key.pem", "play/link.js", "play", "", "/",
            "play//index.html", "play/index.html/", "play/index.html\0.js", "play/ä.js", "play/%2e%2e/x.js",
        ]
        for path in others { #expect(files.content(path) == nil, "\(path)") }
    }

    @Test func states_areThoseOfWhatIsServed_throughLinksOfATreeToo() throws {
        try write("tree/page/js/main.js", "a")
        try write("tree/page/key.pem", "no file of a page")
        try write("in/lib/three.js", "b")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/in/play", withDestinationPath: "../tree/page")
        let files = PlayFiles(folder: folder.path + "/in")
        let before = files.tags()
        #expect(before.keys.sorted() == ["lib/three.js", "play/js/main.js"])
        for (path, tag) in before { #expect(files.content(path)?.tag == tag) }
        try write("tree/page/js/main.js", "another")
        #expect(files.tags()["play/js/main.js"] != before["play/js/main.js"])
        #expect(files.tags()["lib/three.js"] == before["lib/three.js"])
    }

    @Test func sources_areServedWhereThePageIsNotBuilt_orByWish() throws {
        try write("play/index.html", "sources")
        try write("play/js/main.js", "a")
        try write("play/icon.svg", "i")
        let (files, developers) = (PlayFiles(folder: folder.path), PlayFiles(folder: folder.path, servesSources: true))
        #expect(files.document == "play/index.html")
        #expect(files.content("play/js/main.js") != nil)
        try write("built/index.html", "built")
        try write("built/0123456789abcdef/main.js", "b")
        #expect(files.document == "built/index.html")
        for path in ["play/js/main.js", "play/index.html"] {
            #expect(files.content(path) == nil)
            #expect(developers.content(path) != nil)
        }
        #expect(files.content("play/icon.svg") != nil)
        #expect(files.tags().keys.sorted() == ["built/0123456789abcdef/main.js", "built/index.html", "play/icon.svg"])
        #expect(developers.document == "play/index.html")
        #expect(developers.tags().count == 5)
    }

    @Test func file_thatChanges_isReadAgain() throws {
        try write("play/index.html", "before")
        let files = PlayFiles(folder: folder.path)
        let tag = files.content("play/index.html")?.tag
        #expect(files.content("play/index.html")?.tag == tag)
        try FileManager.default.removeItem(atPath: "\(folder.path)/play/index.html")
        #expect(files.content("play/index.html") == nil)
        try write("play/index.html", "afterwards")
        #expect(files.content("play/index.html")?.tag != tag)
    }

    @Test func textsOfAllFolders_areOneAnswer_ofOneState() throws {
        try write("play/js/tours/texts/en.json", #"{"a": "A"}"#)
        try write("play/js/core/texts/en.json", #"{"b": "B"}"#)
        try write("play/js/core/texts/fr.json", #"{"b": "Bé"}"#)
        try write("play/js/core/texts/notes.txt", "no texts")
        #expect(text("play/texts/en.json") == #"{"core":{"b": "B"},"tours":{"a": "A"}}"#)
        #expect(text("play/texts/fr.json") == #"{"core":{"b": "Bé"}}"#)
        for path in ["play/texts/es.json", "play/texts/notes.txt", "play/js/core/texts/en.json"] {
            #expect(text(path) == nil, "\(path)")
        }
        let files = PlayFiles(folder: folder.path)
        let before = files.tags()
        #expect(before.keys.sorted() == ["play/texts/en.json", "play/texts/fr.json"])
        for (path, tag) in before { #expect(files.content(path)?.tag == tag) }
        try write("play/js/core/texts/en.json", #"{"b": "another"}"#)
        try write("play/js/map/texts/fr.json", "{}")
        for (path, tag) in files.tags() { #expect(files.content(path)?.tag == tag && tag != before[path]) }
        #expect(text("play/texts/fr.json") == #"{"core":{"b": "Bé"},"map":{}}"#)
    }
}
