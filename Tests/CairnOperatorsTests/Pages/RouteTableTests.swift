import CairnWebSocket
import Testing

@testable import CairnOperators

@Suite("Routes")
struct RouteTableTests {
    /// Whoever adds a page says here who may ask for it.
    @Test func routes_areThese() {
        let routes = HTTPPages.table.routes.dropLast(OperatorFeatures.routes.count).map { route in
            let vital = route.isVital ? " vital" : ""
            return switch route.path {
            case .exact(let path): "\(route.method) \(path) \(route.asker)\(vital)"
            case .under(let prefix): "\(route.method) \(prefix)* \(route.asker)\(vital)"
            case .below(let prefix): "\(route.method) \(prefix)** \(route.asker)\(vital)"
            }
        }
        #expect(
            routes == [
                "GET /livez everyone vital", "GET /healthz everyone vital", "GET /readyz everyone vital",
                "GET /metrics metrics", "GET / everyone", "GET /v1 everyone", "GET /account everyone",
                "GET /account/account.js everyone", "GET /account/account.css everyone",
                "GET /account/pages.js everyone", "GET /account/texts.json everyone", "GET /help everyone",
                "GET /help/help.js everyone", "GET /help/help.css everyone", "GET /privacy everyone",
                "GET /privacy/privacy.js everyone", "GET /privacy/policy/* everyone", "GET /v1/assets/* everyone",
                "GET /j/* everyone", "GET /link/picture/* everyone", "GET /link/link.css everyone",
                "GET /.well-known/apple-app-site-association everyone", "GET /.well-known/assetlinks.json everyone",
                "GET /play everyone", "GET /play/ everyone", "GET /play/two everyone", "GET /play/cairn/ everyone",
                "GET /play/files.json everyone", "GET /play/ground.json everyone", "GET /play/providers.json everyone",
                "GET /play/ground.geojson everyone", "GET /play/** everyone", "GET /console visitor",
                "GET /console/* visitor", "GET /v1/operator admin", "POST /v1/operator/end admin",
                "GET /v1/operator/backups admin", "GET /v1/operator/backups/* admin",
            ])
    }

    @Test func pagesOfFeatures_areForAdminsAndAreInTheTable() {
        #expect(OperatorFeatures.routes.allSatisfy { $0.asker == .admin && !$0.isVital })
        let last = HTTPPages.table.routes.suffix(OperatorFeatures.routes.count)
        #expect(last.map(\.path) == OperatorFeatures.routes.map(\.path))
    }

    private static let table = RouteTable([
        .get("/a", for: .everyone) { _, _ in .socket },
        Route("POST", .exact("/a"), for: .admin) { _, _ in .now(.socket) },
        Route("POST", .exact("/b"), for: .admin) { _, _ in .now(.socket) },
        Route("GET", .under("/a/"), for: .visitor) { _, _ in .now(.socket) },
        Route("GET", .below("/c/"), for: .everyone) { _, _ in .now(.socket) },
        Route("GET", .exact("/c/d"), for: .admin) { _, _ in .now(.socket) },
    ])

    @Test func path_belowAnother_isFoundWithAllItsSegments() {
        #expect(found("GET", "/c/x/y.js") == "everyone x/y.js")
        #expect(found("GET", "/c/d") == "admin ")
        #expect(found("GET", "/c/") == "nothing")
        #expect(found("POST", "/c/x") == "GET HEAD")
    }

    private func found(_ method: String, _ path: String) -> String {
        switch Self.table.match(method: method, path: path) {
        case .found(let route, let parameter): "\(route.asker) \(parameter)"
        case .otherMethod(let allowed): allowed.joined(separator: " ")
        case .nothing: "nothing"
        }
    }

    @Test func method_choosesAmongRoutesOfOnePath() {
        #expect(found("GET", "/a") == "everyone ")
        #expect(found("HEAD", "/a") == "everyone ")
        #expect(found("POST", "/a") == "admin ")
    }

    @Test func otherMethod_isToldThoseThatThereAre() {
        #expect(found("GET", "/b") == "POST")
        #expect(found("POST", "/a/x") == "GET HEAD")
    }

    @Test(arguments: ["/", "/c", "/a/", "/a/b/c", "/ab", "", "/A"])
    func otherPath_isNothing(path: String) {
        #expect(found("GET", path) == "nothing")
    }

    @Test func segmentBelow_isTheParameter() {
        #expect(found("GET", "/a/some name.txt") == "visitor some name.txt")
        #expect(found("GET", "/a/..") == "visitor ..")
    }
}
