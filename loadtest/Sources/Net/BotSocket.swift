import Glibc

/// One bot's connection. Confined to the loop's thread.
struct BotSocket {
    enum Phase {
        case closed
        case connecting
        /// The connection is open, and the TLS handshake is done.
        case securing
        /// The upgrade request is sent.
        case upgrading
        case open
    }

    var phase = Phase.closed
    var descriptor: Int32 = -1
    /// The session of `SecureClient`; nil without TLS.
    var session: OpaquePointer?
    /// The start of a frame whose rest has not arrived.
    var unread: [UInt8] = []
    /// Bytes that the kernel has not accepted yet.
    var unsent: [UInt8] = []
    /// A message in fragments.
    var fragments: [UInt8] = []
    var isPaused = false
    /// The code and reason of the peer's close frame.
    var closeCode: UInt16 = 1006
}
