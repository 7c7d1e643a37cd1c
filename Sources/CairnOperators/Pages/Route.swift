internal import CairnWebSocket

/// One path that the server answers: method, path, who may ask, and the handler. `RouteTable` finds it.
struct Route: Sendable {
    /// The path that a request must have, percent-decoded and without dot segments.
    enum Path: Sendable, Equatable {
        case exact(String)
        /// The path begins with this, and one more segment follows: the parameter.
        case under(String)
        /// The path begins with this, and something follows: the parameter, which may have several segments.
        case below(String)
    }

    /// Who may ask.
    enum Asker: Sendable {
        /// Everybody who reaches the listener.
        case everyone
        /// Everybody who may see operators' pages, with or without a credential: through an operators' listener, over
        /// TLS or loopback, not from a page of another origin.
        case visitor
        /// A visitor with the operators' credential or its cookie. This is admin level, the only one over HTTP.
        case admin
        /// An operator, a collector with the metrics' credential, or a process of this machine.
        case metrics
    }

    /// A request that has found its route.
    struct Request: Sendable {
        let head: HTTPHead
        /// What followed the path; empty for an exact one.
        let parameter: String
        /// Whether it carries a valid credential or cookie; only meaningful for a visitor.
        let isAdmin: Bool
        /// The client whose budget and share of the lane it uses; nil = unknown.
        let client: PeerAddress?
    }

    typealias Handler = @Sendable (HTTPPages, Request) -> HTTPAnswer

    /// `GET`, to which `HEAD` belongs, or `POST`.
    let method: String
    let path: Path
    let asker: Asker
    /// Answered even when the budget of all clients is used up, so that a monitor does not take the server for dead.
    let isVital: Bool
    let handler: Handler

    init(_ method: String, _ path: Path, for asker: Asker, isVital: Bool = false, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.asker = asker
        self.isVital = isVital
        self.handler = handler
    }

    /// A page that is made at once.
    static func get(
        _ path: String, for asker: Asker, isVital: Bool = false,
        _ page: @escaping @Sendable (HTTPPages, Request) -> HTTPResponse
    ) -> Route {
        Route("GET", .exact(path), for: asker, isVital: isVital) { .now(page($0, $1)) }
    }

    /// A page that is made on the bulk lane, which may block there.
    static func getLater(
        _ path: Path, for asker: Asker, _ page: @escaping @Sendable (HTTPPages, Request) async -> HTTPResponse
    ) -> Route {
        Route("GET", path, for: asker) { pages, request in
            .later(LaterAnswer(client: request.client) { await page(pages, request) })
        }
    }

    /// Whether the route answers the method.
    func takes(_ method: String) -> Bool { method == self.method || (method == "HEAD" && self.method == "GET") }

    /// Its methods, for the header `Allow`.
    var allowed: [String] { method == "GET" ? ["GET", "HEAD"] : [method] }
}

/// All routes. 404 and 405 follow from it.
struct RouteTable: Sendable {
    let routes: [Route]
    private let exact: [String: [Route]]
    private let under: [(prefix: String, route: Route)]
    private let below: [(prefix: String, route: Route)]

    /// Traps when two routes claim the same method of the same path.
    init(_ routes: [Route]) {
        self.routes = routes
        var exact: [String: [Route]] = [:]
        var under: [(prefix: String, route: Route)] = []
        var below: [(prefix: String, route: Route)] = []
        for route in routes {
            switch route.path {
            case .exact(let path): exact[path, default: []].append(route)
            case .under(let prefix):
                precondition(prefix.hasSuffix("/"), "\(prefix) ends with a slash, or its parameter has no beginning")
                under.append((prefix, route))
            case .below(let prefix):
                precondition(prefix.hasSuffix("/"), "\(prefix) ends with a slash, or its parameter has no beginning")
                below.append((prefix, route))
            }
        }
        for (index, route) in routes.enumerated() {
            let isTwice = routes[..<index].contains { $0.path == route.path && $0.method == route.method }
            precondition(!isTwice, "two routes claim \(route.method) \(route.path)")
        }
        self.exact = exact
        self.under = under
        self.below = below
    }

    /// The result of a look-up.
    enum Match {
        case found(Route, parameter: String)
        /// The path exists, for these methods.
        case otherMethod(allowed: [String])
        case nothing
    }

    func match(method: String, path: String) -> Match {
        if let routes = exact[path] { return Self.match(method, among: routes, parameter: "") }
        for (prefix, _) in under where path.hasPrefix(prefix) {
            let parameter = String(path.dropFirst(prefix.count))
            guard !parameter.isEmpty, !parameter.contains("/") else { continue }
            return Self.match(method, among: under.filter { $0.prefix == prefix }.map(\.route), parameter: parameter)
        }
        for (prefix, _) in below where path.hasPrefix(prefix) && path.count > prefix.count {
            let parameter = String(path.dropFirst(prefix.count))
            return Self.match(method, among: below.filter { $0.prefix == prefix }.map(\.route), parameter: parameter)
        }
        return .nothing
    }

    private static func match(_ method: String, among routes: [Route], parameter: String) -> Match {
        if let route = routes.first(where: { $0.takes(method) }) { return .found(route, parameter: parameter) }
        return .otherMethod(allowed: routes.flatMap(\.allowed))
    }
}
