internal import CairnServer
internal import CairnWebSocket

/// How a browser becomes an operator's: by a link that works once, or by showing the credential. Either is exchanged
/// for a cookie that opens the console and the stats WebSocket.
struct OperatorPages {
    /// The console.
    static let consolePath = "/console"
    /// Gives the cookie to whoever shows the credential.
    static let sessionPath = "/v1/operator"
    /// Ends the cookie that is sent along; by POST, which no link or picture can do.
    static let signOutPath = "/v1/operator/end"

    let rules: OperatorRules
    let access: OperatorAccess
    let files: ConsoleFiles

    /// - Returns: nil for what is no business of operators.
    func response(to head: HTTPHead) -> HTTPResponse? {
        switch head.path {
        case Self.sessionPath: session(head)
        case Self.signOutPath: signOut(head)
        case Self.consolePath: head.parameter("link").map { enter($0, head) } ?? console(head)
        default: head.path.hasPrefix(ConsoleFiles.folder) ? asset(head) : nil
        }
    }

    private func console(_ head: HTTPHead) -> HTTPResponse {
        let pages = ConsolePages(files: files, head: head, behindProxy: rules.behindProxy)
        guard let reason = refusal(of: head) else { return pages.page }
        // To come without anything is no attempt: that is how one gets to the form.
        guard reason == .credential, head.authorization.isEmpty else { return refused(reason) }
        return pages.signIn
    }

    /// The files say nothing about the world, and the form needs them: everybody gets them who may come this way.
    private func asset(_ head: HTTPHead) -> HTTPResponse? {
        if let reason = refusal(of: head), reason != .credential { return refused(reason) }
        return ConsolePages(files: files, head: head, behindProxy: rules.behindProxy).asset
    }

    private func signOut(_ head: HTTPHead) -> HTTPResponse {
        guard head.method == "POST" else {
            return HTTPResponse(status: 405, headers: ["Allow: POST"], body: Array("use POST\n".utf8))
        }
        if let reason = refusal(of: head) { return refused(reason) }
        access.authentication.forget(cookie: head.cookie)
        let cookie = access.authentication.setCookie("", isSecure: head.isTLS || rules.behindProxy, seconds: 0)
        return HTTPResponse(status: 204, headers: [cookie, "Cache-Control: no-store"], body: [])
    }

    private func enter(_ link: String, _ head: HTTPHead) -> HTTPResponse {
        // Everything but the credential, which the link stands for.
        if let reason = refusal(of: head), reason != .credential { return refused(reason) }
        guard let cookie = access.authentication.enter(link: link) else {
            access.figures.refused(.credential)
            return ConsolePages(files: files, head: head, behindProxy: rules.behindProxy).usedLink
        }
        // A page and no redirect: a cookie of one's own site only is not sent along a way that began elsewhere.
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/console">
            <title>Cairn</title><p><a href="/console">Open the console</a></p></html>

            """
        return HTTPResponse(
            status: 200, contentType: "text/html; charset=utf-8", headers: headers(cookie, head),
            body: Array(page.utf8))
    }

    private func session(_ head: HTTPHead) -> HTTPResponse {
        if let reason = refusal(of: head) { return refused(reason) }
        // A cookie is for who has the credential; one that begot the next would last for ever.
        guard !head.authorization.isEmpty else {
            return HTTPResponse(status: 204, headers: ["Cache-Control: no-store"], body: [])
        }
        return HTTPResponse(status: 204, headers: headers(access.authentication.makeCookie(), head), body: [])
    }

    private func headers(_ cookie: String, _ head: HTTPHead) -> [String] {
        [
            access.authentication.setCookie(cookie, isSecure: head.isTLS || rules.behindProxy),
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
        ]
    }

    private func refusal(of head: HTTPHead) -> OperatorFigures.Reason? {
        let request = OperatorRules.Request(
            address: head.address, host: head.host, origin: head.origin, authorization: head.authorization,
            cookie: head.cookie, isTLS: head.isTLS)
        return rules.refusal(of: request, authentication: access.authentication)
    }

    private func refused(_ reason: OperatorFigures.Reason) -> HTTPResponse {
        access.figures.refused(reason)
        return .text(403, "forbidden: \(reason.rawValue)\n")
    }
}

extension HTTPHead {
    /// A parameter of the query.
    fileprivate func parameter(_ name: String) -> String? {
        for pair in query.split(separator: "&") where pair.hasPrefix(name + "=") {
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }
}
