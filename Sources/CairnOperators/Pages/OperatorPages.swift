internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWebSocket
internal import Logging

/// How a browser becomes an operator's: by a link that works once, or by showing the credential. Either is exchanged
/// for a cookie that opens the console and the stats WebSocket.
enum OperatorPages {
    static let routes: [Route] = [
        // Exchanges the credential for a cookie.
        .get("/v1/operator", for: .admin, session),
        // Ends the cookie that is sent along; by POST, which no link or picture can do.
        Route("POST", .exact("/v1/operator/end"), for: .admin) { .now(signOut($0, $1)) },
        .getLater(.exact("/v1/operator/backups"), for: .admin) { pages, request in
            BackupPages(pages.context.store.backupFolder).list(request.head)
        },
        .getLater(.under("/v1/operator/backups/"), for: .admin) { pages, request in
            let backups = BackupPages(pages.context.store.backupFolder)
            return backups.download(request.parameter, request.head, logger: pages.context.logger)
        },
    ]

    /// A browser follows a link that works once: in exchange it gets the cookie.
    static func enter(_ link: String, _ pages: HTTPPages, _ request: Route.Request) -> HTTPResponse {
        guard let cookie = pages.access.authentication.enter(link: link) else {
            pages.access.figures.refused(
                .credential, showing: link, from: request.client ?? request.head.address)
            return ConsolePages(pages, request.head).usedLink
        }
        // A page and no redirect: a cookie of one's own site only is not sent along a way that began elsewhere.
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/console">
            <title>Cairn</title><p><a href="/console">Open the console</a></p></html>

            """
        return HTTPResponse(
            status: 200, contentType: "text/html; charset=utf-8", headers: headers(cookie, pages, request.head),
            body: Array(page.utf8))
    }

    private static func session(_ pages: HTTPPages, _ request: Route.Request) -> HTTPResponse {
        // A cookie is for who has the credential; one that begot the next would last for ever.
        guard !request.head.authorization.isEmpty else {
            return HTTPResponse(status: 204, headers: ["Cache-Control: no-store"], body: [])
        }
        let cookie = pages.access.authentication.makeCookie()
        return HTTPResponse(status: 204, headers: headers(cookie, pages, request.head), body: [])
    }

    private static func signOut(_ pages: HTTPPages, _ request: Route.Request) -> HTTPResponse {
        let (authentication, head) = (pages.access.authentication, request.head)
        authentication.forget(cookie: head.cookie)
        // The sockets that it opened end with it.
        pages.access.service.post { $0.dismissSignedOut() }
        let cookie = authentication.setCookie("", isSecure: isSecure(pages, head), seconds: 0)
        return HTTPResponse(status: 204, headers: [cookie, "Cache-Control: no-store"], body: [])
    }

    private static func headers(_ cookie: String, _ pages: HTTPPages, _ head: HTTPHead) -> [String] {
        [
            pages.access.authentication.setCookie(cookie, isSecure: isSecure(pages, head)),
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
        ]
    }

    private static func isSecure(_ pages: HTTPPages, _ head: HTTPHead) -> Bool {
        head.isTLS || pages.rules.behindProxy
    }
}

extension HTTPHead {
    /// A parameter of the query.
    func parameter(_ name: String) -> String? {
        for pair in query.pieces(at: "&") where pair.hasPrefix(name + "=") {
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }
}
