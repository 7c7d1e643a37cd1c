internal import CairnServer
internal import CairnWebSocket

/// Answers browsers with the console. Its pages hold nothing of the world: what they show comes over the stats
/// WebSocket.
struct ConsolePages {
    private let files: ConsoleFiles
    private let head: HTTPHead
    /// Whether a proxy in front has taken TLS off.
    private let behindProxy: Bool

    init(files: ConsoleFiles, head: HTTPHead, behindProxy: Bool) {
        self.files = files
        self.head = head
        self.behindProxy = behindProxy
    }

    init(_ pages: HTTPPages, _ head: HTTPHead) {
        self.init(files: pages.files, head: head, behindProxy: pages.rules.behindProxy)
    }

    static let path = "/console"

    static let routes: [Route] = [
        .get(path, for: .visitor) { pages, request in
            if let link = request.head.parameter("link") {
                // HEAD changes nothing (RFC 9110, 9.2.1): a preview of the link does not use it up.
                return request.head.method == "HEAD"
                    ? .text(200, "") : OperatorPages.enter(link, pages, request)
            }
            let console = ConsolePages(pages, request.head)
            if request.isAdmin { return console.page }
            return request.head.authorization.isEmpty
                ? console.signIn : pages.refused(.credential, request.head, of: request.client)
        },
        // The files say nothing about the world, and the form needs them.
        Route("GET", .under(ConsoleFiles.folder), for: .visitor) { pages, request in
            .now(ConsolePages(pages, request.head).asset(request.parameter))
        },
    ]

    /// The console itself.
    var page: HTTPResponse { answer(files.page, cache: "private, no-cache") }

    /// The form for those who are not in, with the status that everybody gets who is turned away.
    var signIn: HTTPResponse { refusal(with: files.signIn) }

    /// The same form, with why a link did not open the console and how to get another.
    var usedLink: HTTPResponse { refusal(with: files.usedLink) }

    private func asset(_ name: String) -> HTTPResponse {
        // Asked for again at every opening: the files of one version work with one another only.
        files.asset(name).map { answer($0, cache: "no-cache") } ?? .text(404, "the console has no such file\n")
    }

    private func answer(_ file: HTTPContent, cache: String) -> HTTPResponse {
        var file = file
        file.headers = headers(cache: cache)
        return file.response(to: head)
    }

    /// Whatever a browser has kept: who is turned away is told so.
    private func refusal(with page: HTTPContent) -> HTTPResponse {
        var plain = head
        plain.ifNoneMatch = ""
        plain.range = ""
        var page = page
        page.headers = headers(cache: "no-store")
        var response = page.response(to: plain)
        response.status = 403
        return response
    }

    private func headers(cache: String) -> [String] {
        [
            "Cache-Control: \(cache)", "Vary: Cookie", "Content-Security-Policy: \(policy)",
            "X-Frame-Options: DENY", "Referrer-Policy: \(referrer)", "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin", "Permissions-Policy: geolocation=(), camera=(), microphone=()",
        ]
    }

    /// Nothing from anywhere but this server; tiles, if there are any, from their one host.
    private var policy: String {
        let pictures = files.tileOrigin.map { "img-src 'self' data: \($0)" } ?? "img-src 'self' data:"
        return "default-src 'none'; script-src 'self'; style-src 'self'; \(pictures); connect-src 'self'\(socket); "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// Sources of tiles want to know whose page asks; of the address they get the host alone.
    private var referrer: String { files.tileOrigin == nil ? "no-referrer" : "strict-origin" }

    private var socket: String { head.socketOrigin(behindProxy: behindProxy).map { " " + $0 } ?? "" }
}

extension HTTPHead {
    /// The server's own WebSockets, for a content security policy: older browsers do not count them among `'self'`. Nil
    /// if the host that the request names is none.
    func socketOrigin(behindProxy: Bool) -> String? {
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-:[]".utf8.contains(byte)
            }
        }
        return isHost && !host.isEmpty ? "\(isTLS || behindProxy ? "wss" : "ws")://\(host)" : nil
    }
}
