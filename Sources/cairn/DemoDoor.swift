import CairnClient
import CairnConfiguration
import CairnRoot
import CairnWire
import Foundation

/// How the people of `cairn serve --demo` come to the server: by its own address, like any app.
struct DemoDoor: Sendable {
    private let url: ServerURL
    private let transport: WebSocketTransport
    private let mark: WalkerMark

    /// - Parameters:
    ///   - configuration: of the server.
    ///   - port: what it is bound to.
    ///   - mark: has the server know those who enter for its own.
    init?(_ configuration: Configuration, port: Int, mark: @escaping WalkerMark) {
        let listen = configuration.listen
        let host = NetworkAddress.isWildcard(listen.address) ? "127.0.0.1" : listen.address
        let authority = host.contains(":") ? "[\(host)]" : host
        guard let url = ServerURL("\(listen.isTLS ? "wss" : "ws")://\(authority):\(port)/v1") else { return nil }
        (self.url, self.mark) = (url, mark)
        // It is this process: whoever has signed the certificate, it is its own.
        transport = listen.isTLS ? WebSocketTransport(allowsSelfSigned: true) : .shared
    }

    /// Connects somebody who shares their place: by name, where the server is open, else with an account that lasts as
    /// long as the world.
    func enter(_ name: String) async throws -> CairnClient {
        let profile = ClientProfile(name: name, frontEnd: "bot", sharesPosition: true, shareAccuracyMetres: 0)
        let client = CairnClient(url: url, profile: profile, transport: transport)
        let welcome = try await client.connect()
        guard welcome.role == "guest" else {
            await mark(welcome.account)
            return client
        }
        var body = WireSignUp()
        body.username = name
        body.email = "\(name)@example.org"
        body.password = "Aa1-\(UUID().uuidString)"
        body.consent = welcome.limits.policyVersion
        await mark(try await client.signUp(body).account)
        try await client.share(true, accuracyMetres: 0)
        return client
    }
}
