import COpenSSL
import Glibc

/// TLS for the bots' connections: one OpenSSL context, and a session for each connection. Confined to the loop's
/// thread.
final class SecureClient {
    /// The result of a read, a write or a step of the handshake.
    enum Outcome {
        case bytes(Int)
        /// No progress now; epoll reports when to try again.
        case again(wantsOutput: Bool)
        /// The peer has closed the connection properly.
        case closed
        case failed(String)
    }

    private let context: OpaquePointer
    private let host: String
    private let isNumeric: Bool

    /// - Parameters:
    ///   - host: name or address that the server's certificate has to match.
    ///   - authorities: PEM file with the certificates that are trusted; nil = the system's.
    init(host: String, authorities: String?) throws(Endpoint.Failure) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw Endpoint.Failure(description: "TLS cannot be set up: \(Self.lastError)")
        }
        openssl_prepare(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let isTrusting =
            authorities.map { SSL_CTX_load_verify_locations(context, $0, nil) }
            ?? SSL_CTX_set_default_verify_paths(context)
        guard isTrusting == 1 else {
            SSL_CTX_free(context)
            throw Endpoint.Failure(
                description: "--ca: \(authorities ?? "the system's certificates"): \(Self.lastError)")
        }
        // OpenSSL uses `write`, which raises SIGPIPE on a closed connection; that must not end the process.
        signal(SIGPIPE, SIG_IGN)
        self.context = context
        self.host = host
        var number = in6_addr()
        isNumeric = inet_pton(AF_INET, host, &number) == 1 || inet_pton(AF_INET6, host, &number) == 1
    }

    deinit { SSL_CTX_free(context) }

    /// Creates a session over a connected socket; `end` frees it.
    func begin(on descriptor: Int32) -> OpaquePointer {
        guard let session = SSL_new(context) else { preconditionFailure("SSL_new: \(Self.lastError)") }
        if isNumeric {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host)
        } else {
            SSL_set1_host(session, host)
            openssl_name_server(session, host)
        }
        SSL_set_fd(session, descriptor)
        return session
    }

    func end(_ session: OpaquePointer) { SSL_free(session) }

    /// A step of the handshake; `bytes(0)` when it is done.
    func shakeHands(_ session: OpaquePointer) -> Outcome {
        let result = SSL_connect(session)
        if result == 1 { return .bytes(0) }
        let verdict = SSL_get_verify_result(session)
        if verdict != Int(X509_V_OK) {
            ERR_clear_error()
            return .failed(
                "the server's certificate is not good for \(host): "
                    + String(cString: X509_verify_cert_error_string(verdict)))
        }
        return outcome(of: result, session)
    }

    func read(_ session: OpaquePointer, into room: UnsafeMutableRawBufferPointer) -> Outcome {
        outcome(of: SSL_read(session, room.baseAddress, Int32(clamping: room.count)), session)
    }

    func write(_ session: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        outcome(of: SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)), session)
    }

    /// Whether the session holds bytes, decrypted or not, which epoll does not report.
    func hasMore(_ session: OpaquePointer) -> Bool { SSL_has_pending(session) == 1 }

    private func outcome(of result: Int32, _ session: OpaquePointer) -> Outcome {
        if result > 0 { return .bytes(Int(result)) }
        let reason = errno
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .again(wantsOutput: false)
        case SSL_ERROR_WANT_WRITE: return .again(wantsOutput: true)
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL where ERR_peek_error() == 0 && reason != 0:
            return .failed(String(cString: strerror(reason)))
        default: return .failed(Self.lastError)
        }
    }

    /// The last error of OpenSSL's queue, which is cleared.
    private static var lastError: String {
        let error = ERR_get_error()
        ERR_clear_error()
        guard error != 0, let text = ERR_reason_error_string(error) else { return "the connection was ended" }
        return String(cString: text)
    }
}
