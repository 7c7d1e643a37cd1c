internal import CairnWebSocket

extension HTTPResponse {
    /// The page at `/`, for visitors with a browser. It contains no version and no figure.
    static let front = HTTPResponse(
        status: 200, contentType: "text/html; charset=utf-8",
        headers: ["Cache-Control: no-store", "Content-Security-Policy: default-src 'none'", "X-Frame-Options: DENY"],
        body: Array(
            """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>Cairn</title></head>
            <body><main><h1>Cairn</h1>
            <p>A session server for shared, location-based AR. Apps connect by WebSocket to <code>/v1</code>; the \
            protocol is described in <code>docs/protocol.md</code> of the project.</p>
            <p>People: <a href="/play">play</a>. Developers: <a href="/play/two">playground</a>.</p>
            <p>Operators: <a href="/console">console</a>, <a href="/readyz?verbose">health</a>.</p>
            </main></body></html>

            """.utf8))

    /// For who asks for the socket as if it were a page.
    static let socket = HTTPResponse(
        status: 426, headers: ["Upgrade: websocket", "Cache-Control: no-store"],
        body: Array("this is a WebSocket; its subprotocols are cairn.v1.json and cairn.v1.proto\n".utf8))
}
