import Glibc

/// The address to which bots connect, looked up once and not for each of thousands of bots.
struct Endpoint: Sendable {
    /// The host in the URL, which the certificate has to match.
    let host: String
    let port: UInt16
    let path: String
    let isSecure: Bool
    /// AF_INET or AF_INET6.
    let family: Int32
    /// A `sockaddr_in` or `sockaddr_in6`, as its bytes.
    let address: [UInt8]

    /// The fault of a URL, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads `ws://HOST:PORT/PATH` or `wss://`; HOST is a name, an IPv4 address or an IPv6 address in brackets.
    init(url: String) throws(Failure) {
        let scheme = ["ws://": false, "wss://": true].first { url.hasPrefix($0.key) }
        guard let scheme else { throw Self.unreadable(url) }
        isSecure = scheme.value
        let rest = url.dropFirst(scheme.key.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = slash == rest.endIndex ? "/v1" : String(rest[slash...])
        var authority = rest[..<slash]
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw Self.unreadable(url) }
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            authority = authority[authority.index(after: end)...]
        } else {
            let colon = authority.firstIndex(of: ":") ?? authority.endIndex
            host = String(authority[..<colon])
            authority = authority[colon...]
        }
        let number = authority.isEmpty ? (isSecure ? 443 : 80) : UInt16(authority.dropFirst())
        guard !host.isEmpty, authority.isEmpty || authority.first == ":", let number, number > 0 else {
            throw Self.unreadable(url)
        }
        port = number
        (family, address) = try Self.look(up: host, port: number)
    }

    var url: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

    /// For the header `Host`.
    var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    private static func unreadable(_ url: String) -> Failure {
        Failure(description: "\"\(url)\" is no ws://HOST:PORT/PATH or wss://HOST:PORT/PATH (IPv6 as [::1])")
    }

    private static func look(up host: String, port: UInt16) throws(Failure) -> (Int32, [UInt8]) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // Made by getaddrinfo, freed when the function ends.
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, "\(port)", &hints, &found)
        defer { freeaddrinfo(found) }
        guard result == 0, let first = found?.pointee, let bytes = first.ai_addr else {
            throw Failure(description: "\(host): \(String(cString: gai_strerror(result)))")
        }
        // `ai_addrlen` bytes, which live until `freeaddrinfo`.
        return (first.ai_family, Array(UnsafeRawBufferPointer(start: bytes, count: Int(first.ai_addrlen))))
    }
}
