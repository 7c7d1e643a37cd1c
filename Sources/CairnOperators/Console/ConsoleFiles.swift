package import CairnConfiguration
internal import CairnCrypto
internal import CairnEmbedded
internal import CairnText
internal import CairnWebSocket
internal import Foundation

/// The console's files: those of this program, and Leaflet, which draws the map as on the page for players and comes
/// with it. All are read and packed once, at the start, and served from memory.
package struct ConsoleFiles: Sendable {
    /// The page for operators who are signed in.
    let page: HTTPContent
    /// The page for everyone else: the sign-in form.
    let signIn: HTTPContent
    /// The page for a one-time link that was used before.
    let usedLink: HTTPContent
    /// Whether Leaflet is there; without it the console has a list and no map.
    let hasMap: Bool
    /// Where pictures of the ground come from, beside this server: an origin, or nothing.
    let tileOrigin: String?
    private let assets: [String: HTTPContent]

    /// Where the files are for browsers.
    static let folder = "/console/"
    /// What the page asks for; the script leads to another one, whose name has the version.
    private static let leafletNames = ["leaflet.css", "leaflet.js"]

    /// Reads and packs the files: some 10 ms, so a start does it beside the opening of its store.
    /// - Parameter playPath: where the page for players is (`play.path`); nil = there is none.
    package init(_ settings: Configuration.Console, playPath: String?) {
        var assets = Self.embedded
        let library = (playPath ?? "") + "/lib"
        let names = playPath == nil ? [] : (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        for name in names where name.hasPrefix("leaflet") && (name.hasSuffix(".js") || name.hasSuffix(".css")) {
            guard let data = FileManager.default.contents(atPath: "\(library)/\(name)") else { continue }
            assets[name] = Self.content(name, [UInt8](data))
        }
        hasMap = Self.leafletNames.allSatisfy { assets[$0] != nil }
        tileOrigin = settings.tileURL.flatMap(Self.origin)
        let elements = Self.elements(hasMap: hasMap, settings)
        let signInPage = EmbeddedFiles.bytes(of: "signin.html", in: .console)
        let consolePage = EmbeddedFiles.bytes(of: "console.html", in: .console)
        page = Self.content("console.html", Self.filled(consolePage, elements))
        signIn = Self.content("signin.html", signInPage)
        usedLink = Self.content("signin.html", Self.told(Self.linkIsOver, signInPage))
        self.assets = assets
    }

    /// A file of the folder, other than the pages.
    func asset(_ name: String) -> HTTPContent? { assets[name] }

    /// All files of the folder but the pages.
    private static var embedded: [String: HTTPContent] {
        let files = EmbeddedFiles.all(in: .console).filter { !$0.name.hasSuffix(".html") }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, content($0.name, $0.bytes)) })
    }

    /// What the page's head says about the map. The policy allows no script in the page that could.
    private static func elements(hasMap: Bool, _ settings: Configuration.Console) -> String {
        guard hasMap else { return "" }
        var elements = "<link id=\"map-style\" rel=\"stylesheet\" href=\"/console/leaflet.css\">"
        if let url = settings.tileURL {
            let source = settings.tileAttribution ?? ""
            elements += "\n<meta name=\"cairn-tiles\" content=\"\(Escaping.markup(url))\">"
            elements += "\n<meta name=\"cairn-tiles-by\" content=\"\(Escaping.markup(source))\">"
        }
        return elements
    }

    private static func filled(_ page: [UInt8], _ elements: String) -> [UInt8] {
        Array(String(decoding: page, as: UTF8.self).replacing("<!-- map -->", with: elements).utf8)
    }

    private static let linkIsOver = """
        This link does not open the console: a link works once, and for 15 minutes. \
        <code>cairn stats link</code> on the server gives another.
        """

    /// The form with a problem that it has from the start.
    private static func told(_ problem: String, _ page: [UInt8]) -> [UInt8] {
        let told = String(decoding: page, as: UTF8.self)
            .replacing(" role=\"alert\"><", with: " role=\"alert\">\(problem)<")
        return Array(told.utf8)
    }

    /// Scheme, host and port of an address.
    static func origin(of url: String) -> String? {
        guard let end = url.range(of: "://")?.upperBound else { return nil }
        return url[..<end] + String(url[end...].prefix { $0 != "/" })
    }

    private static func content(_ name: String, _ bytes: [UInt8]) -> HTTPContent {
        HTTPContent(bytes, contentType: contentType(of: name), tag: tag(of: bytes))
    }

    /// By what the name ends with.
    static func contentType(of name: String) -> String {
        switch name.pieces(at: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }

    /// By this a browser asks whether it has the file already.
    static func tag(of bytes: [UInt8]) -> String { Data(SHA256.hash(data: bytes).prefix(12)).base64EncodedString() }
}
