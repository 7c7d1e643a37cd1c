internal import CairnEmbedded
internal import CairnServer
internal import CairnWebSocket

/// The page with the privacy policy (CMP-1), for everybody. Its script asks for the text in the browser's languages.
enum PrivacyPages {
    static let routes: [Route] = [
        .get("/privacy", for: .everyone) { _, request in page.response(to: request.head) },
        .get("/privacy/privacy.js", for: .everyone) { _, request in script.response(to: request.head) },
        Route("GET", .under("/privacy/policy/"), for: .everyone) { pages, request in
            let policy = pages.context.signIn.services.policy
            let text = AccountPages.file(policy.json(for: request.parameter), "application/json")
            return .now(text.response(to: request.head))
        },
    ]

    private static let page = AccountPages.file("privacy.html", in: .account)
    private static let script = AccountPages.file("privacy.js", in: .account)
}
