/// When this server started, and where it listens.
struct ServerStart: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    let at: Int64
    let processID: Int32
    /// Of the players' listener.
    let port: Int
    let addresses: ServerAddresses
}
