package import CairnConfiguration
package import CairnServer
internal import CairnTime
package import CairnWebSocket
internal import CairnWire
internal import Foundation
package import Logging

/// Sets up the operators' listeners and sockets during the start: first everything that can fail, then the room that
/// answers.
package final class OperatorRoom {
    package let access: OperatorAccess
    package private(set) var loops: [WebSocketLoop] = []
    package let entrance: OperatorEntrance
    private let files: ConsoleFiles
    private let sockets: [StatsSocket]
    private let listen: Configuration.Listen
    /// What the operators' own listener is bound to.
    private var own: (address: String, port: Int)?

    /// Reads or makes the credential, and opens the sockets and the operators' own listener.
    /// - Parameters:
    ///   - version: of this build.
    ///   - files: what the console's pages are made of.
    ///   - logger: is told what becomes of the credential.
    package init(
        _ configuration: Configuration, shardCount: Int, version: String, files: ConsoleFiles, logger: Logger
    ) throws {
        self.files = files
        let folder = configuration.storage.path ?? "."
        let settings = configuration.stats
        let credential = try OperatorCredential(
            configured: settings.credential,
            place: CredentialPlace(folder: folder, keyFile: configuration.storage.keyFile), logger: logger)
        let authentication = OperatorAuthentication(
            credential: credential.secret, metricsCredential: settings.metricsCredential)
        access = try OperatorAccess(authentication: authentication, version: version)
        let socketPath = settings.socketPath ?? folder + "/stats.sock"
        var sockets = [try StatsSocket(path: socketPath, mode: 0o600, level: .admin)]
        if let path = settings.readSocketPath {
            sockets.append(try StatsSocket(path: path, mode: 0o660, level: .read))
        }
        self.sockets = sockets
        listen = configuration.listen
        entrance = OperatorEntrance(
            socketPath: socketPath, credentialPath: credential.path,
            link: credential.isNew ? access.authentication.makeLink() : nil)
        guard let wanted = settings.listener.flatMap(NetworkAddress.parts) else { return }
        var options = LoopOptions(configuration)
        options.admitOperators()
        options.connectionsMax = OperatorsAdapter.connectionsMax
        options.bulkLane = access.bulkLane
        let loop = try WebSocketLoop(index: shardCount, options: options)
        try WebSocketLoop.checkPort(wanted.port, address: wanted.address)
        own = (wanted.address, try loop.listen(address: wanted.address, port: wanted.port, backlog: 64))
        loops = [loop]
    }

    /// What each loop of players serves beside players: pages, and operators where they have no listener of their own.
    package func routes(context: ServerContext, health: Health) -> @Sendable (WebSocketLoop) -> any LoopRoutes {
        let pages = HTTPPages(
            context: context, access: access, health: health, files: files,
            rules: OperatorRules(isOpen: loops.isEmpty, behindProxy: listen.behindProxy), door: context.doors.requests)
        return { [access] loop in OperatorRoutes(loop: loop, pages: pages, access: access) }
    }

    /// Where the listeners are, the players' bound to `port`.
    package func addresses(port: Int) -> ServerAddresses {
        ServerAddresses(listen, port: port, own: own)
    }

    /// Lets operators in.
    package func open(context: ServerContext, shards: [Shard], health: Health, port: Int, actions: OperatorActions) {
        let start = ServerStart(
            at: context.clock.now, processID: getpid(), port: port, addresses: addresses(port: port))
        let sockets = sockets
        let access = access
        access.service.start {
            StatsRoom(
                context: context, access: access, shards: shards, started: start, health: health, actions: actions,
                sockets: sockets)
        }
        for loop in loops {
            let door = RequestDoor(context.configuration, address: own?.address ?? context.configuration.listen.address)
            let pages = HTTPPages(
                context: context, access: access, health: health, files: files,
                rules: OperatorRules(isOpen: true, behindProxy: listen.behindProxy), door: door)
            loop.start {
                OperatorsAdapter(
                    loop: loop, context: context, door: door,
                    routes: OperatorRoutes(loop: loop, pages: pages, access: access))
            }
        }
    }
}

/// Where operators of a running server come in.
public struct OperatorEntrance: Sendable {
    /// The Unix socket with admin level.
    public let socketPath: String
    /// File with the credential; nil when it was set in the configuration.
    public let credentialPath: String?
    /// What opens the console once; only at the first start.
    public let link: String?
}

/// The handler of the operators' own listener, which only operators may use.
final class OperatorsAdapter: LoopHandler {
    private let door: RequestDoor
    private let routes: OperatorRoutes
    private let context: ServerContext

    private let loop: WebSocketLoop
    private let admission: Admission

    /// Most open connections: twice the operators of the room, so that there is room for pages and failed sign-ins.
    static let connectionsMax = StatsRoom.operatorsMax * 2
    /// One address has at most half of the connections and opens this many a second. So it can neither keep all
    /// operators out nor keep the loop busy with handshakes.
    private static let perAddressMax = connectionsMax / 2
    private static let perSecondPerAddressMax = 50

    init(loop: WebSocketLoop, context: ServerContext, door: RequestDoor, routes: OperatorRoutes) {
        self.door = door
        self.routes = routes
        self.context = context
        self.loop = loop
        var listen = context.configuration.listen
        listen.connectionsMax = Self.connectionsMax
        listen.connectionsPerAddress = Self.perAddressMax
        listen.handshakesPerSecondPerAddress = Self.perSecondPerAddressMax
        listen.tlsHandshakesPerSecondPerAddress = 0
        admission = Admission(listen)
    }

    func rejection(of address: PeerAddress) -> TransportRejection? {
        admission.rejection(of: address, now: loop.now)
    }

    func released(_ address: PeerAddress, _ connection: ConnectionID) { admission.released(address) }

    func refusal(of handshake: Handshake) -> HTTPResponse? {
        switch door.judge(handshake) {
        case .refused(let reason, let response):
            door.log(reason, response, host: handshake.host, to: context.logger, now: loop.now)
            return response
        case .enter:
            return routes.serves(handshake.path) ? routes.refusal(of: handshake) : .text(404, "Not Found\n")
        }
    }

    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {
        routes.opened(connection, handshake)
    }

    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {
        _ = routes.received(bytes, from: connection)
    }

    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {}
    func breached(_ connection: ConnectionID, _ rejection: TransportRejection) {}

    func closed(_ connection: ConnectionID, code: UInt16) {
        _ = routes.closed(connection)
    }

    func connectFailed(tag: UInt64, reason: String) {}
    func answer(to head: HTTPHead) -> HTTPAnswer { routes.answer(to: head, now: loop.now) }
    func ticked(now: MonotonicTime) {}
    func swept(now: MonotonicTime) {}
    func turnEnded() {}

    func logged(_ line: String, level: Int) {
        context.logger.log(level: level == 0 ? .error : level == 1 ? .warning : .debug, "operators' transport: \(line)")
    }
}
