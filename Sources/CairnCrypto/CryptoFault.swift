internal import COpenSSL

/// OpenSSL did not do what it was asked for: it is out of memory, is configured without the algorithm, or got a key
/// that does not fit. No bytes from outside lead to this error: what is not valid is answered with false or nil.
public struct CryptoFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be done, such as `seal with AES-GCM`.
    public let operation: String
    /// In OpenSSL's words.
    public let cause: String

    init(_ operation: String, cause: String) {
        (self.operation, self.cause) = (operation, cause)
    }

    /// Takes the cause out of this thread's queue of errors, and empties it (`forgetErrors`).
    init(_ operation: String) {
        let reason = ERR_reason_error_string(ERR_peek_error())
        self.init(operation, cause: reason.map { String(cString: $0) } ?? "OpenSSL gives no reason")
        forgetErrors()
    }

    public var description: String { "crypto: \(operation): \(cause)" }
}

/// Empties OpenSSL's queue of errors of this thread. Every failed call appends to it, and the thread's TLS connections
/// would take what is left there for their own failure (`SSL_get_error`).
func forgetErrors() { ERR_clear_error() }
