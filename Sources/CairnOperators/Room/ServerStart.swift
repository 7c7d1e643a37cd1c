internal import CairnCore

/// When this server started, and where it listens.
struct ServerStart: Sendable {
    let at: WallTime
    let processID: Int32
    /// Of the players' listener.
    let port: Int
    let addresses: ServerAddresses
}
