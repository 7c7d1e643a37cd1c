internal import CairnConfiguration
internal import CairnCore
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
    let context: ServerContext
    let access: OperatorAccess
    let files: ConsoleFiles
    /// The words of the pages for people.
    let accountTexts: HTTPContent
    let play: PlayPages
    private let health: Health
    /// The last page of figures, whoever asked for it: however often it is asked for, it is made so often and no more.
    private let metricsPage = Mutex<(madeAt: LastingTime, text: [UInt8])>((.epoch, []))
    private static let metricsAge = Duration.milliseconds(200)

    init(
        context: ServerContext, access: OperatorAccess, health: Health, files: ConsoleFiles, rules: OperatorRules,
        door: RequestDoor
    ) {
        self.context = context
        self.access = access
        self.health = health
        self.rules = rules
        self.door = door
        self.files = files
        play = PlayPages(context.configuration)
        accountTexts = AccountPages.texts(among: context.configuration.accounts.languages)
    }

    /// The answer to a request, by the table of routes.
    func answer(to head: HTTPHead, now: MonotonicTime) -> HTTPAnswer {
        let match = Self.table.match(method: head.method, path: head.path)
        var isVital = false
        if case .found(let route, _) = match { isVital = route.isVital }
        switch door.judge(head, isVital: isVital, now: now) {
        case .refused(let reason, let response):
            door.log(reason, response, host: head.host, to: context.logger, now: now)
            return .now(response)
        case .enter(let client): return charged(answer(to: head, match, of: client), to: client, head)
        }
    }

    private func answer(to head: HTTPHead, _ match: RouteTable.Match, of client: PeerAddress?) -> HTTPAnswer {
        switch match {
        case .nothing: return .now(.text(404, "there is nothing here; the socket is at \(Shard.socketPath)\n"))
        case .otherMethod(let allowed):
            let methods = allowed.joined(separator: ", ")
            return .now(
                HTTPResponse(status: 405, headers: ["Allow: \(methods)"], body: Array("use \(methods)\n".utf8)))
        case .found(let route, let parameter):
            let refusal = route.asker == .everyone ? nil : reason(against: head)
            if let response = response(against: route.asker, refusal, head, of: client) { return .now(response) }
            return route.handler(
                self, Route.Request(head: head, parameter: parameter, isAdmin: refusal == nil, client: client))
        }
    }

    /// Why the request is none of an operator's; nil = it is.
    private func reason(against head: HTTPHead) -> OperatorFigures.Reason? {
        let request = OperatorRules.Request(
            address: head.address, host: head.host, origin: head.origin, authorization: head.authorization,
            cookie: head.cookie, isTLS: head.isTLS)
        return rules.refusal(of: request, authentication: access.authentication)
    }

    /// What turns a request away before its route sees it; nil = come in.
    private func response(
        against asker: Route.Asker, _ reason: OperatorFigures.Reason?, _ head: HTTPHead, of client: PeerAddress?
    ) -> HTTPResponse? {
        switch asker {
        case .everyone: nil
        // To come without anything is no attempt: that is how one gets to the form.
        case .visitor: reason.flatMap { $0 == .credential ? nil : refused($0, head, of: client) }
        case .admin: reason.map { refused($0, head, of: client) }
        case .metrics: metricsRefusal(of: head, client)
        }
    }

    /// Turned away, and counted.
    /// - Parameter client: whose request it is; nil = a proxy does not say, and it counts as the proxy's.
    func refused(_ reason: OperatorFigures.Reason, _ head: HTTPHead, of client: PeerAddress?) -> HTTPResponse {
        access.figures.refused(reason, showing: head.authorization, from: client ?? head.address)
        return .text(403, "forbidden: \(reason.rawValue)\n")
    }

    /// Answers cost their address bytes: a short one at once, all others piece by piece, at the rate of its budget.
    private func charged(_ answer: HTTPAnswer, to client: PeerAddress?, _ head: HTTPHead) -> HTTPAnswer {
        guard head.method != "HEAD" else { return answer }
        let budget = door.budget
        switch answer {
        case .now(let response):
            guard let short = response.shortBody else {
                return charged(.later(LaterAnswer(client: client) { response }), to: client, head)
            }
            budget.charge(short.count, to: client)
            return answer
        case .later(let later):
            var paced = later
            paced.make = {
                var response = await later.make()
                response.pace = { budget.pace($0, to: client, now: $1) }
                return response
            }
            return .later(paced)
        }
    }

    /// The figures are open to requests from this machine. A request that a proxy on this machine forwards seems to be
    /// one of them.
    private func metricsRefusal(of head: HTTPHead, _ client: PeerAddress?) -> HTTPResponse? {
        // Where operators have a listener of their own, the figures are served there alone.
        guard rules.isOpen else {
            access.figures.refused(.listener)
            return .text(403, "forbidden: operators have a listener of their own\n")
        }
        let isFromHere = head.address.isLoopback && !rules.behindProxy
        let keeper = access.authentication
        guard isFromHere || keeper.admitsToMetrics(authorization: head.authorization, cookie: head.cookie) else {
            access.figures.refused(.credential, showing: head.authorization, from: client ?? head.address)
            return HTTPResponse(
                status: 401, headers: ["WWW-Authenticate: Bearer", "Cache-Control: no-store"],
                body: Array("wants Authorization: Bearer, with stats.metricsCredential or the operators'\n".utf8))
        }
        return nil
    }

    // MARK: Pages of the server itself

    /// Every path, in one place.
    static let table = RouteTable(
        health + AccountPages.routes + PrivacyPages.routes + AssetPages.routes + LinkPages.routes + PlayPages.routes
            + ConsolePages.routes + OperatorPages.routes + OperatorFeatures.routes)

    private static let health: [Route] = [
        .get("/livez", for: .everyone, isVital: true) { _, _ in .text(200, "ok\n") },
        .get("/healthz", for: .everyone, isVital: true) { _, _ in .text(200, "ok\n") },
        .get("/readyz", for: .everyone, isVital: true) { $0.readiness($1.head.query) },
        .get("/metrics", for: .metrics) { pages, _ in pages.metrics },
        .get("/", for: .everyone) { _, _ in .front },
        .get(Shard.socketPath, for: .everyone) { _, _ in .socket },
    ]

    private var metrics: HTTPResponse {
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
