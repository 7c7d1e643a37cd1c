import Glibc

/// One bot's connection. Confined to the loop's thread.
struct BotSocket {
    enum Phase {
        case closed
        case connecting
        /// The connection is there, and TLS is agreed upon.
        case securing
        /// The upgrade request is sent.
        case upgrading
        case open
    }

    var phase = Phase.closed
    var descriptor: Int32 = -1
    /// Of `SecureClient`; nil without TLS.
    var session: OpaquePointer?
    /// The start of something whose rest has not come.
    var unread: [UInt8] = []
    /// What the kernel did not take.
    var unsent: [UInt8] = []
    /// A message in fragments.
    var fragments: [UInt8] = []
    var isPaused = false
    /// From the peer's close frame.
    var closeCode: UInt16 = 1006
}
