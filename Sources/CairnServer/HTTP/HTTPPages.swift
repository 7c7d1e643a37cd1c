internal import CairnStore
internal import CairnWebSocket
internal import Synchronization

/// Answers plain HTTP on the server's port: health for machines, figures for Prometheus.
final class HTTPPages: Sendable {
    private let store: Store
    private let board: FigureBoard
    private let health: Health

    init(store: Store, board: FigureBoard, health: Health) {
        self.store = store
        self.board = board
        self.health = health
    }

    func response(to head: HTTPHead) -> HTTPResponse {
        guard head.method == "GET" || head.method == "HEAD" else {
            return HTTPResponse(status: 405, headers: ["Allow: GET, HEAD"], body: Array("use GET\n".utf8))
        }
        switch head.path {
        case "/livez", "/healthz": return text(200, "ok\n")
        case "/readyz": return readiness(verbose: head.query.contains("verbose"))
        case "/metrics":
            let page = MetricsPage(reports: board.all, store: store.figures).text
            return HTTPResponse(
                status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
                headers: ["Cache-Control: no-store"], body: Array(page.utf8))
        default: return text(404, "there is nothing here; the socket is at \(LoopAdapter.path)\n")
        }
    }

    /// 503 while starting, draining, or when a write cannot commit (ecosystem.md 1.8).
    private func readiness(verbose: Bool) -> HTTPResponse {
        let figures = store.figures
        let checks = [
            ("serving", health.isServing),
            ("storage", !figures.isFailing),
            ("backlog", store.acceptsChanges),
        ]
        let isReady = checks.allSatisfy(\.1)
        let lines = checks.map { "\($0.1 ? "ok " : "not") \($0.0)\n" }.joined()
        return text(isReady ? 200 : 503, verbose ? lines : isReady ? "ok\n" : "not ready\n")
    }

    private func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Cache-Control: no-store"], body: Array(body.utf8))
    }
}

/// Whether the server takes work.
final class Health: Sendable {
    private let serving = Atomic<Bool>(false)

    var isServing: Bool { serving.load(ordering: .relaxed) }

    func set(serving isServing: Bool) {
        serving.store(isServing, ordering: .relaxed)
    }
}
