internal import CairnWebSocket

/// Names an operator's WebSocket.
struct WebSocketName: Hashable, Sendable {
    let loop: Int
    let connection: ConnectionID
}

/// An operator on a WebSocket: lines travel to its loop and leave there. Confined to the room's thread.
final class WebSocketLink: OperatorLink {
    private let name: WebSocketName
    private let loop: WebSocketLoop
    private unowned let service: StatsService
    private(set) var isReady = true

    init(_ name: WebSocketName, loop: WebSocketLoop, service: StatsService) {
        self.name = name
        self.loop = loop
        self.service = service
    }

    func send(_ lines: [[UInt8]]) {
        isReady = false
        let loop = loop
        report { connection in
            // A message has its own end; the line break is for sockets that have none.
            for line in lines { loop.send(line.dropLast(), to: connection) }
            loop.flush(connection)
        }
    }

    func probe() {
        guard !isReady else { return }
        report { _ in }
    }

    func close() {
        let (loop, connection) = (loop, name.connection)
        loop.post { loop.close(connection, code: 1_001, reason: "going_away") }
    }

    /// Runs an action on the loop and then finds out whether the connection can take more.
    private func report(after work: @escaping @Sendable (ConnectionID) -> Void) {
        let (loop, name, service) = (loop, name, service)
        loop.post {
            work(name.connection)
            let isBehind = loop.isBehind(name.connection) ?? true
            service.post { $0.webSocket(name, isReady: !isBehind) }
        }
    }

    fileprivate func set(ready isReady: Bool) {
        self.isReady = isReady
    }
}

extension StatsRoom {
    /// An operator has opened a WebSocket. The door has checked the credential.
    func opened(_ name: WebSocketName, loop: WebSocketLoop, _ pass: OperatorPass, level: OperatorLevel) {
        guard let service else { return }
        webSockets[name] = admit(WebSocketLink(name, loop: loop, service: service), pass, level: level)
        dismissSignedOut()
    }

    func received(_ lines: [String], from name: WebSocketName) {
        guard let number = webSockets[name] else { return }
        receive(lines, from: number)
    }

    func closed(_ name: WebSocketName) {
        guard let number = webSockets.removeValue(forKey: name) else { return }
        depart(number)
    }

    fileprivate func webSocket(_ name: WebSocketName, isReady: Bool) {
        guard let number = webSockets[name], let someone = operators[number] else { return }
        (someone.link as? WebSocketLink)?.set(ready: isReady)
        proceed(someone)
    }
}

extension [UInt8] {
    fileprivate func dropLast() -> [UInt8] { Array(self[..<(endIndex - 1)]) }
}
