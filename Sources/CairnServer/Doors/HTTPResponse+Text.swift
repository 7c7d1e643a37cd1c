package import CairnWebSocket

extension HTTPResponse {
    package static func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Cache-Control: no-store"], body: Array(body.utf8))
    }

    /// With a time to wait, spread so that not all come back at once (B23).
    static func tryLater(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Cache-Control: no-store", "Retry-After: \(Int.random(in: 2...6))"],
            body: Array(body.utf8))
    }
}
