internal import CairnConfiguration
internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import Synchronization

/// Answers plain HTTP on a listener's port: health for machines, figures for Prometheus, the way into the console.
final class HTTPPages: Sendable {
    /// Who may come in as an operator over this listener.
    let rules: OperatorRules
    /// What every request has to get past.
    let door: RequestDoor
    private let context: ServerContext
    private let access: OperatorAccess
    private let health: Health
    private let files: ConsoleFiles
    /// The last page of figures, whoever asked for it: however often it is asked for, it is made so often and no more.
    private let metricsPage = Mutex<(madeAt: LastingTime, text: [UInt8])>((.epoch, []))
    private static let metricsAge = Duration.milliseconds(200)

    init(context: ServerContext, access: OperatorAccess, health: Health, rules: OperatorRules, door: RequestDoor) {
        self.context = context
        self.access = access
        self.health = health
        self.rules = rules
        self.door = door
        files = ConsoleFiles(context.configuration.console)
    }

    func response(to head: HTTPHead, now: MonotonicTime) -> HTTPResponse {
        // Whoever watches over the server must not take it for dead because others ask too much of it.
        let isVital = ["/livez", "/healthz", "/readyz"].contains(head.path)
        switch door.judge(head, isVital: isVital, now: now) {
        case .refused(let reason, let response):
            door.log(reason, response, host: head.host, to: context.logger, now: now)
            return response
        case .enter(let client):
            let response = response(to: head)
            door.budget.charge(head.method == "HEAD" ? 0 : response.body.count, to: client)
            return response
        }
    }

    private func response(to head: HTTPHead) -> HTTPResponse {
        let isSignOut = head.method == "POST" && head.path == OperatorPages.signOutPath
        guard head.method == "GET" || head.method == "HEAD" || isSignOut else {
            return HTTPResponse(status: 405, headers: ["Allow: GET, HEAD"], body: Array("use GET\n".utf8))
        }
        switch head.path {
        case "/livez", "/healthz": return .text(200, "ok\n")
        case "/readyz": return readiness(head.query)
        case "/metrics": return metrics(head)
        case "/": return .front
        case Shard.socketPath:
            return HTTPResponse(
                status: 426, headers: ["Upgrade: websocket", "Cache-Control: no-store"],
                body: Array("this is a WebSocket; its subprotocols are cairn.v1.json and cairn.v1.proto\n".utf8))
        default:
            let pages = OperatorPages(rules: rules, access: access, files: files)
            return pages.response(to: head)
                ?? .text(404, "there is nothing here; the socket is at \(Shard.socketPath)\n")
        }
    }

    /// Figures are open on the machine itself. What a proxy sends on seems to come from there and may be anybody's.
    private func metrics(_ head: HTTPHead) -> HTTPResponse {
        // Whoever gives operators a listener of their own wants their figures nowhere else.
        guard rules.isOpen else {
            access.figures.refused(.listener)
            return .text(403, "forbidden: operators have a listener of their own\n")
        }
        let isFromHere = head.address.isLoopback && !rules.behindProxy
        let keeper = access.authentication
        guard isFromHere || keeper.admitsToMetrics(authorization: head.authorization, cookie: head.cookie) else {
            access.figures.refused(.credential)
            return HTTPResponse(
                status: 401, headers: ["WWW-Authenticate: Bearer", "Cache-Control: no-store"],
                body: Array("wants Authorization: Bearer, with stats.metricsCredential or the operators'\n".utf8))
        }
        let text = metricsPage.withLock { page in
            let now = context.clock.lasting
            if now - page.madeAt >= Self.metricsAge { page = (now, metricsText()) }
            return page.text
        }
        return HTTPResponse(
            status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            headers: ["Cache-Control: no-store"], body: text)
    }

    private func metricsText() -> [UInt8] {
        MetricsWriter.page(ServerFigures(context, access, shards: context.reports.all))
    }

    /// 503 while starting, draining, or when a write cannot commit (ecosystem.md 1.8).
    private func readiness(_ query: String) -> HTTPResponse {
        let readiness = Readiness(health: health, store: context.store)
        let status = readiness.isReady ? 200 : 503
        if query.contains("format=json") {
            return HTTPResponse(
                status: status, contentType: "application/json", headers: ["Cache-Control: no-store"],
                body: readiness.json)
        }
        let short = readiness.isReady ? "ok\n" : "not ready\n"
        return .text(status, query.contains("verbose") ? readiness.lines : short)
    }
}

extension HTTPResponse {
    /// What somebody finds who opens the server's address in a browser. It tells no version and no figure.
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
            <p>Operators: <a href="/console">console</a>, <a href="/readyz?verbose">health</a>.</p>
            </main></body></html>

            """.utf8))
}

/// Whether the server takes work.
package final class Health: Sendable {
    private let serving = Atomic<Bool>(false)

    package init() {}

    var isServing: Bool { serving.load(ordering: .relaxed) }

    package func set(serving isServing: Bool) {
        serving.store(isServing, ordering: .relaxed)
    }
}

/// Whether the server can do its work, and what keeps it from it.
struct Readiness {
    private let checks: [(name: String, isGood: Bool, detail: String)]

    init(health: Health, store: Store) {
        let figures = store.figures
        checks = [
            ("serving", health.isServing, health.isServing ? "" : "starting or draining"),
            (
                "storage", !figures.isFailing,
                figures.isFileMoved
                    ? "the database's file was removed or replaced" : figures.isFailing ? "the last write failed" : ""
            ),
            (
                "backlog", store.acceptsChanges,
                "\(figures.backlogChanges) changes wait, the oldest for \(figures.oldestUnsavedMilliseconds) ms"
            ),
            // The rest of the world is served: a damaged row is no reason to take a server away from its users.
            ("rows", true, Self.words(of: store.damage)),
            ("indexes", true, Self.words(ofIndexes: figures)),
        ]
    }

    private static func words(ofIndexes figures: StoreFigures) -> String {
        var words: [String] = []
        if !figures.damagedIndexes.isEmpty {
            let names = figures.damagedIndexes.joined(separator: ", ")
            words.append("damaged, and their tables are read instead: \(names)")
        }
        if !figures.rebuiltIndexes.isEmpty {
            words.append("were damaged and are built anew: \(figures.rebuiltIndexes.joined(separator: ", "))")
        }
        return words.isEmpty ? "" : words.joined(separator: "; ") + "; look for a fault of the disk"
    }

    private static func words(of damage: DamageReport) -> String {
        guard let first = damage.rows.first else { return "" }
        let rows = damage.count == 1 ? "1 damaged row is" : "\(damage.count) damaged rows are"
        return "\(rows) set aside, the first is \(first.row); cairn verify names all"
    }

    var isReady: Bool { checks.allSatisfy(\.isGood) }

    var lines: String { checks.map { "\($0.isGood ? "ok " : "not") \($0.name)\n" }.joined() }

    var json: [UInt8] { JSONLine.object { write(in: &$0) } }

    func write(in line: inout JSONLine) {
        line.member("ready", isReady)
        line.array("checks") { line in
            for check in checks {
                line.element { line in
                    line.member("name", check.name)
                    line.member("ok", check.isGood)
                    line.member("detail", check.detail)
                }
            }
        }
    }
}
