/// When and where this server started.
struct ServerStart: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    let at: Int64
    let processID: Int32
    let port: Int
}
