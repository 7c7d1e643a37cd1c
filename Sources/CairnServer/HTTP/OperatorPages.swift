internal import CairnWebSocket

/// How a browser becomes an operator's: by a link that works once, or by showing the credential. Either is exchanged
/// for a cookie that opens the console and the stats WebSocket.
struct OperatorPages {
    /// Gives the cookie to whoever shows the credential.
    static let sessionPath = "/v1/operator"

    let rules: OperatorRules
    let operators: Operators

    func response(to head: HTTPHead) -> HTTPResponse {
        if head.path == Self.sessionPath { return session(head) }
        if let link = head.parameter("link") { return enter(link, head) }
        if let reason = refusal(of: head) { return refused(reason) }
        return .text(200, "You are in; \(StatsDoor.path) is open to you. This build has no pages for it.\n")
    }

    private func enter(_ link: String, _ head: HTTPHead) -> HTTPResponse {
        // Everything but the credential, which the link stands for.
        if let reason = refusal(of: head), reason != .credential { return refused(reason) }
        guard let cookie = operators.doorkeeper.enter(link: link) else { return refused(.credential) }
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
        return HTTPResponse(status: 204, headers: headers(operators.doorkeeper.makeCookie(), head), body: [])
    }

    private func headers(_ cookie: String, _ head: HTTPHead) -> [String] {
        [
            operators.doorkeeper.setCookie(cookie, isSecure: head.isTLS || rules.behindProxy),
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
        ]
    }

    private func refusal(of head: HTTPHead) -> OperatorFigures.Reason? {
        let request = OperatorRules.Request(
            address: head.address, host: head.host, origin: "", authorization: head.authorization, cookie: head.cookie,
            isTLS: head.isTLS)
        return rules.refusal(of: request, doorkeeper: operators.doorkeeper)
    }

    private func refused(_ reason: OperatorFigures.Reason) -> HTTPResponse {
        operators.figures.refused(reason)
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
