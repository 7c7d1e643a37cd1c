internal import CairnEmbedded
internal import CairnServer
internal import CairnWebSocket

/// The pages for people. The one that links in mails lead to sets a new password, or proves an email (ACC-10). The code
/// stands behind the '#' of the address, so no server, proxy or log sees it; the page's script sends it over the
/// WebSocket. The other shows the help, for which its script asks in the same way (PRF-10).
enum AccountPages {
    static let routes: [Route] = [
        .get("/account", for: .everyone) { _, request in page.response(to: request.head) },
        .get("/account/account.js", for: .everyone) { _, request in script.response(to: request.head) },
        .get("/account/account.css", for: .everyone) { _, request in style.response(to: request.head) },
        .get("/account/pages.js", for: .everyone) { _, request in shared.response(to: request.head) },
        .get("/account/texts.json", for: .everyone) { $0.accountTexts.response(to: $1.head) },
        .get("/help", for: .everyone) { _, request in help.response(to: request.head) },
        .get("/help/help.js", for: .everyone) { _, request in helpScript.response(to: request.head) },
        .get("/help/help.css", for: .everyone) { _, request in helpStyle.response(to: request.head) },
    ]

    private static let page = file("account.html", in: .account)
    private static let script = file("account.js", in: .account)
    private static let style = file("account.css", in: .account)
    private static let shared = file("pages.js", in: .account)
    private static let help = file("help.html", in: .account)
    private static let helpScript = file("help.js", in: .account)
    private static let helpStyle = file("help.css", in: .account)

    /// The words of the pages.
    static func texts(among languages: [String]) -> HTTPContent {
        file(Texts.json(withPrefix: "page.", among: languages), "application/json")
    }

    /// A file that is in the program.
    static func file(_ name: String, in folder: EmbeddedFiles.Folder) -> HTTPContent {
        file(EmbeddedFiles.bytes(of: name, in: folder), ConsoleFiles.contentType(of: name))
    }

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
