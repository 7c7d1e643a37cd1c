internal import CairnWebSocket

/// Answers browsers with the console. Its pages hold nothing of the world: what they show comes over the stats
/// WebSocket.
struct ConsolePages {
    let files: ConsoleFiles
    let head: HTTPHead
    /// Whether a proxy in front has taken TLS off.
    let behindProxy: Bool

    /// The console itself.
    var page: HTTPResponse { answer(files.page, status: 200, cache: "private, no-cache") }

    /// The form for those who are not in, with the status that everybody gets who is turned away.
    var signIn: HTTPResponse { answer(files.signIn, status: 403, cache: "no-store") }

    /// The same form, with why a link did not open the console and how to get another.
    var usedLink: HTTPResponse { answer(files.usedLink, status: 403, cache: "no-store") }

    /// A file of the console's; nil when there is none of that name.
    var asset: HTTPResponse? {
        // Asked for again at every opening: the files of one version work with one another only.
        files.asset(at: head.path).map { answer($0, status: 200, cache: "no-cache") }
    }

    private func answer(_ file: ConsoleFile, status: Int, cache: String) -> HTTPResponse {
        let headers = [
            "Cache-Control: \(cache)", "ETag: \(file.tag)", "Vary: Cookie", "Content-Security-Policy: \(policy)",
            "X-Frame-Options: DENY", "Referrer-Policy: \(referrer)", "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin", "Permissions-Policy: geolocation=(), camera=(), microphone=()",
        ]
        if status == 200, head.ifNoneMatch.contains(file.tag) {
            return HTTPResponse(status: 304, contentType: file.contentType, headers: headers, body: [])
        }
        return HTTPResponse(status: status, contentType: file.contentType, headers: headers, body: file.bytes)
    }

    /// Nothing from anywhere but this server; tiles, if there are any, from their one host.
    private var policy: String {
        let pictures = files.tileOrigin.map { "img-src 'self' data: \($0)" } ?? "img-src 'self' data:"
        return "default-src 'none'; script-src 'self'; style-src 'self'; \(pictures); connect-src 'self'\(socket); "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// Sources of tiles want to know whose page asks; of the address they get the host alone.
    private var referrer: String { files.tileOrigin == nil ? "no-referrer" : "strict-origin" }

    /// Older browsers do not count a WebSocket of the server itself among `'self'`.
    private var socket: String {
        let isHost = head.host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-:[]".utf8.contains(byte)
            }
        }
        guard isHost, !head.host.isEmpty else { return "" }
        return " \(head.isTLS || behindProxy ? "wss" : "ws")://\(head.host)"
    }
}
