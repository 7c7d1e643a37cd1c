internal import CairnServer
internal import CairnWebSocket

/// The downloads of assets, by addresses that `get_asset` gives (OBJ-12).
enum AssetPages {
    static let routes: [Route] = [
        Route("GET", .under("/v1/assets/"), for: .everyone) { pages, request in
            let signIn = pages.context.signIn
            let account = signIn.account(of: request.parameter)
            return .later(
                LaterAnswer(client: request.client, account: account) {
                    // Why there is nothing is not said: a stranger could tell addresses apart by it.
                    guard let content = await signIn.content(at: request.parameter) else { return nothing }
                    return content.response(to: request.head)
                })
        }
    ]

    private static let nothing = HTTPResponse(
        status: 404, headers: ["Cache-Control: no-store"], body: Array("there is nothing here for you\n".utf8))
}
