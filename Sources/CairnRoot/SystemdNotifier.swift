internal import CairnTime
internal import CairnWebSocket
internal import Foundation

/// Tells systemd how the service is (sd_notify(3)): one datagram to `$NOTIFY_SOCKET`, nothing outside systemd.
struct SystemdNotifier: Sendable {
    private let path: String?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = environment["NOTIFY_SOCKET"]
    }

    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }

    /// `ready` follows when the new settings hold (Type=notify-reload wants the time as well).
    func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.microseconds)")
    }

    func stopping() { send("STOPPING=1\nSTATUS=draining") }

    private func send(_ message: String) {
        guard let path, path.utf8.count < 108, let first = path.first, first == "/" || first == "@" else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: path.utf8)
            // An abstract name is written with @ and begins with a zero byte.
            if first == "@" { target[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        // The C call wants a plain sockaddr; the memory is the sockaddr_un above.
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                Array(message.utf8).withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, 0, plain, length) }
            }
        }
        _ = sent  // systemd that does not listen is no reason to stop
    }
}
