internal import CairnServer
internal import CairnWebSocket

/// The page that links in mails lead to: it sets a new password, or proves an email (ACC-10). The code stands behind
/// the '#' of the address, so no server, proxy or log sees it; the page's script sends it over the WebSocket.
enum AccountPages {
    static let routes: [Route] = [
        .get("/account", for: .everyone) { _, request in page.response(to: request.head) },
        .get("/account/account.js", for: .everyone) { _, request in script.response(to: request.head) },
        .get("/account/account.css", for: .everyone) { _, request in style.response(to: request.head) },
        .get("/account/texts.json", for: .everyone) { _, request in texts.response(to: request.head) },
    ]

    private static let page = file(PackageResources.account_html, "text/html; charset=utf-8")
    private static let script = file(PackageResources.account_js, "text/javascript; charset=utf-8")
    private static let style = file(PackageResources.account_css, "text/css; charset=utf-8")
    private static let texts = file(Texts.json(withPrefix: "page."), "application/json")

    /// A file that runs nothing from elsewhere.
    static func file(_ bytes: [UInt8], _ contentType: String) -> HTTPContent {
        var file = HTTPContent(bytes, contentType: contentType, tag: ConsoleFiles.tag(of: bytes))
        file.headers = [
            "Cache-Control: no-cache",
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Frame-Options: DENY", "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
        ]
        return file
    }
}
