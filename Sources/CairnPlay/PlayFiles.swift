internal import CairnText
package import CairnWebSocket
internal import Foundation
internal import Synchronization

/// The files of the page for players and of cairn.js, from a folder on disk.
///
/// They are not in the program: a megabyte becomes several as Swift literals
/// (docs/decisions/0048-the-page-on-disk.md). Each is read and packed at its first request and kept in memory until it
/// changes on disk, so that memory is bounded by the folder.
///
/// Browsers get the page as `scripts/play-bundle` has built it (`built`), and its modules one by one where there is no
/// build of it, or for its developers (`play.sources`). Beside a file may stand the same file, packed by Brotli
/// (`main.js.br`). It is sent to browsers that ask for Brotli: over TLS, and on the server's own machine.
package final class PlayFiles: Sendable {
    private let folder: String
    private let servesSources: Bool
    private let kept = Mutex<[String: (state: String, content: HTTPContent)]>([:])

    /// A larger file is not served.
    static let bytesMax = 16_777_216

    /// - Parameters:
    ///   - folder: with the folders `play`, `cairn` and `lib`, `built` where the page is built, and `dist` where
    ///     cairn.js was packed.
    ///   - servesSources: whether the page's own modules are served also where it is built.
    package init(folder: String, servesSources: Bool = false) {
        self.folder = folder
        self.servesSources = servesSources
    }

    /// The path of the page's document. Blocks: on the bulk lane.
    package var document: String { isBuilt && !servesSources ? Self.builtDocument : "play/index.html" }

    /// The path of the document of `/play/two`.
    package var playground: String { "play/two.html" }

    private static let builtDocument = "built/index.html"

    /// Asked each time: a build replaces the last one while the server runs.
    private var isBuilt: Bool { OpenFile(path: "\(folder)/\(Self.builtDocument)") != nil }

    /// Whether a file is a module or a style that the build has another copy of.
    private static func isSource(_ path: String) -> Bool {
        path.hasPrefix("play/js/") || path.hasPrefix("play/css/") || path == "play/index.html"
    }

    /// A file below the folder; nil = there is none that is served. Blocks: on the bulk lane.
    /// - Parameter path: relative, of any content.
    package func content(_ path: String) -> HTTPContent? {
        guard Self.isPlain(path), let type = Self.contentType(of: path), !PageTexts.isPart(path) else { return nil }
        if let name = PageTexts.name(of: path) { return texts(name, at: path, type) }
        if Self.isSource(path), !servesSources, isBuilt { return nil }
        guard let file = OpenFile(path: "\(folder)/\(path)"), file.byteCount <= Self.bytesMax else { return nil }
        if let kept = kept.withLock({ $0[path] }), kept.state == file.tag { return kept.content }
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { return nil }
        let brotli = FileManager.default.contents(atPath: "\(folder)/\(path).br").map { [UInt8]($0) }
        let content = HTTPContent([UInt8](data), brotli: brotli, contentType: type, tag: file.tag)
        kept.withLock { $0[path] = (file.tag, content) }
        return content
    }

    /// The texts of a language, of all folders of the page.
    private func texts(_ name: String, at path: String, _ type: String) -> HTTPContent? {
        guard let texts = PageTexts(name, of: "\(folder)/play") else { return nil }
        if let kept = kept.withLock({ $0[path] }), kept.state == texts.tag { return kept.content }
        guard let json = texts.json else { return nil }
        let content = HTTPContent(json, contentType: type, tag: texts.tag)
        kept.withLock { $0[path] = (texts.tag, content) }
        return content
    }

    /// Which state each file is in that is served, by its path: the tag of its content. Blocks: on the bulk lane.
    package func tags() -> [String: String] {
        var tags: [String: String] = [:]
        let hidesSources = !servesSources && isBuilt
        for part in ["play", "cairn", "lib", "built"] {
            // A link in a tree of sources.
            let root = URL(filePath: "\(folder)/\(part)").resolvingSymlinksInPath().path
            for name in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] {
                let path = "\(part)/\(name)"
                guard Self.isPlain(path), Self.contentType(of: path) != nil, !PageTexts.isPart(path),
                    PageTexts.name(of: path) == nil, !(hidesSources && Self.isSource(path)),
                    let file = OpenFile(path: "\(root)/\(name)"), file.byteCount <= Self.bytesMax
                else { continue }
                tags[path] = file.tag
            }
        }
        for path in PageTexts.paths(of: "\(folder)/play") {
            tags[path] = PageTexts.name(of: path).flatMap { PageTexts($0, of: "\(folder)/play")?.tag }
        }
        return tags
    }

    /// Names of letters, digits, `-`, `_` and dots that do not begin with a dot.
    static func isPlain(_ path: String) -> Bool {
        path.pieces(at: "/", omittingEmptySubsequences: false).allSatisfy { name in
            !name.isEmpty && !name.hasPrefix(".")
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                    default: "-_.".utf8.contains(byte)
                    }
                }
        }
    }

    /// Nil for files that are none of a page.
    private static func contentType(of path: String) -> String? {
        switch path.pieces(at: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "geojson": "application/geo+json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg": "image/jpeg"
        case "glb": "model/gltf-binary"
        case "tgz": "application/gzip"
        case "mp3": "audio/mpeg"
        case "ogg": "audio/ogg"
        case "txt": "text/plain; charset=utf-8"
        default: nil
        }
    }
}
