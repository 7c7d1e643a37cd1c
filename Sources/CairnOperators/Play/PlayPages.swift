internal import CairnConfiguration
internal import CairnPlay
internal import CairnServer
internal import CairnText
internal import CairnWebSocket
internal import Foundation

/// The page for players at `/play`, the playground at `/play/two`, and cairn.js at `/play/cairn/`, for everybody. They
/// hold nothing of the world: what they show comes over a WebSocket.
struct PlayPages {
    private let settings: Configuration.Play
    private let files: PlayFiles?
    /// Whether a proxy in front has taken TLS off.
    private let behindProxy: Bool

    init(_ configuration: Configuration) {
        settings = configuration.play
        behindProxy = configuration.listen.behindProxy
        files =
            settings.enabled
            ? settings.path.map { [sources = settings.sources] in
                PlayFiles(folder: $0, servesSources: sources)
            } : nil
    }

    static let routes: [Route] = [
        .getLater(.exact("/play"), for: .everyone) { $0.play.page(\.document, $1.head) },
        .getLater(.exact("/play/"), for: .everyone) { $0.play.page(\.document, $1.head) },
        .getLater(.exact("/play/two"), for: .everyone) { $0.play.page(\.playground, $1.head) },
        .getLater(.exact("/play/cairn/"), for: .everyone) { $0.play.file("cairn/dist/index.html", $1.head) },
        .getLater(.exact("/play/files.json"), for: .everyone) { $0.play.listing($1.head) },
        .get("/play/ground.json", for: .everyone) { pages, _ in pages.play.ground },
        .get("/play/providers.json", for: .everyone) { pages, _ in pages.play.providers },
        .getLater(.exact("/play/ground.geojson"), for: .everyone) { $0.play.groundFile($1.head) },
        .getLater(.below("/play/"), for: .everyone) { $0.play.file($1.parameter, $1.head) },
    ]

    private func page(_ path: (PlayFiles) -> String, _ head: HTTPHead) -> HTTPResponse {
        guard let files else { return .text(404, "the page for players is switched off (play.enabled)\n") }
        guard var page = files.content(path(files)) else {
            return .text(404, "the files of the page are not there (play.path)\n")
        }
        page.headers = Self.cacheControl + documentHeaders(head)
        return page.response(to: head)
    }

    private func file(_ path: String, _ head: HTTPHead) -> HTTPResponse {
        let isShared = path.hasPrefix("cairn/")
        let isLibrary = path.hasPrefix("lib/")
        guard var file = files?.content(Self.place(of: path)) else {
            return .text(
                404,
                path.hasPrefix(Self.packed)
                    ? "cairn.js is not packed here (make cairn-js); its modules begin at /play/cairn/index.js\n"
                    : "the page for players has no such file\n")
        }
        file.headers = Self.cacheControl
        // Other files are read by a document, under that one's policies. A worker is under its own.
        if !Self.isRead(file.contentType) || path == "sw.js" { file.headers += documentHeaders(head) }
        if isLibrary && Self.namesItsVersion(path) || Self.isInNamedFolder(path) {
            file.headers[0] = "Cache-Control: public, max-age=31536000, immutable"
        }
        // Code and no secret: pages of any site may import it. Which of them may open a socket is another rule.
        if isShared {
            file.headers += ["Access-Control-Allow-Origin: *", "Cross-Origin-Resource-Policy: cross-origin"]
        }
        return file.response(to: head)
    }

    /// Beginning of the paths of what `make cairn-js` has made. It is not among the modules, which a tree of sources
    /// serves as they are.
    private static let packed = "cairn/dist/"

    /// Beginning of the paths of the files that the page is built into.
    private static let built = "built/"

    /// Where a path of the page is, below the folder of all files.
    private static func place(of path: String) -> String {
        if path.hasPrefix(packed) { return String(path.dropFirst("cairn/".count)) }
        return ["cairn/", "lib/", built].contains { path.hasPrefix($0) } ? path : "play/" + path
    }

    /// `lib/leaflet-1.9.4.js` never changes; `lib/leaflet.js` may lead to another version tomorrow.
    private static func namesItsVersion(_ path: String) -> Bool {
        path.contains { $0.isNumber } && path.contains("-")
    }

    /// The files that the page is built into, but its document, lie in a folder that is named by what is in it.
    private static func isInNamedFolder(_ path: String) -> Bool {
        path.hasPrefix(built) && path.pieces(at: "/").count > 2
    }

    /// Code, styles and data, of which a page has a hundred: policies would be half of what is sent.
    private static func isRead(_ contentType: String) -> Bool {
        ["text/javascript", "text/css", "application/json"].contains { contentType.hasPrefix($0) }
    }

    /// The state of each file by its address, so that a browser that keeps them asks for those alone that have changed.
    private func listing(_ head: HTTPHead) -> HTTPResponse {
        let tags = (files?.tags() ?? [:]).map { path, tag in ((path.hasPrefix("play/") ? "/" : "/play/") + path, tag) }
        let json = (try? JSONEncoder().encode(Dictionary(tags) { first, _ in first })) ?? Data("{}".utf8)
        return HTTPContent(
            [UInt8](json), contentType: "application/json", headers: ["Cache-Control: no-cache"], tag: nil
        ).response(to: head)
    }

    // MARK: The ground

    /// What the map is drawn on: tiles, or a file of the operator's; else the countries beside Leaflet.
    private var ground: HTTPResponse {
        var ground: [String: String] = ["countries": "/play/lib/countries.json"]
        ground["tiles"] = settings.tileURL
        ground["attribution"] = settings.tileAttribution
        if settings.groundFile != nil { ground["file"] = "/play/ground.geojson" }
        return json(ground)
    }

    private func groundFile(_ head: HTTPHead) -> HTTPResponse {
        guard let path = settings.groundFile, let file = OpenFile(path: path) else {
            return .text(404, "there is no file with the ground (play.groundFile)\n")
        }
        let content = HTTPContent(file, contentType: "application/geo+json", headers: ["Cache-Control: no-cache"])
        return content.response(to: head)
    }

    // MARK: Providers

    /// Where a provider of accounts signs people in, by the provider's name (ACC-7).
    private var providers: HTTPResponse {
        let pairs = settings.providers.map { $0.pieces(at: " ", maxSplits: 1).map(String.init) }
        return json(Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first })
    }

    private func json(_ values: [String: String]) -> HTTPResponse {
        let json = (try? JSONEncoder().encode(values)) ?? Data("{}".utf8)
        return HTTPResponse(
            status: 200, contentType: "application/json", headers: ["Cache-Control: no-cache"], body: [UInt8](json))
    }

    // MARK: Policies

    /// How long a browser keeps a file: the files of one version work with one another only.
    private static let cacheControl = ["Cache-Control: no-cache"]

    /// What a document, or a worker, may do.
    private func documentHeaders(_ head: HTTPHead) -> [String] {
        [
            "Content-Security-Policy: \(policy(head))", "X-Frame-Options: DENY", "Referrer-Policy: \(referrer)",
            "Cross-Origin-Opener-Policy: same-origin", "Permissions-Policy: \(Self.permissions)",
            "Service-Worker-Allowed: /play",
        ]
    }

    /// To this page alone, and to no frame in it.
    private static let permissions =
        "geolocation=(self), camera=(self), microphone=(self), accelerometer=(self), "
        + "gyroscope=(self), magnetometer=(self), xr-spatial-tracking=(self), screen-wake-lock=(self)"

    /// Nothing from anywhere but this server; tiles, if there are any, from their one host. Pictures and models that
    /// the page has made itself are blobs.
    private func policy(_ head: HTTPHead) -> String {
        let pictures = "img-src 'self' data: blob:" + (tileOrigin.map { " " + $0 } ?? "")
        let socket = head.socketOrigin(behindProxy: behindProxy).map { " " + $0 } ?? ""
        return "default-src 'none'; script-src 'self'; style-src 'self'; \(pictures); "
            + "connect-src 'self' blob:\(socket); media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    private var tileOrigin: String? { settings.tileURL.flatMap(ConsoleFiles.origin) }

    /// Sources of tiles want to know whose page asks; of the address they get the host alone.
    private var referrer: String { tileOrigin == nil ? "no-referrer" : "strict-origin" }
}
