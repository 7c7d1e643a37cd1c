internal import CairnConfiguration
internal import CairnText

/// Which names a request may call this server by.
///
/// A page of any site can have its own name resolve to 127.0.0.1 and then speaks to a server there as if it were its
/// own ("DNS rebinding"): origin and host agree, and only the name gives it away. So on loopback the only names are
/// those that nobody else can hand out. An address in numbers is nobody's name, and health checks come by one.
struct HostRule: Sendable {
    private let names: Set<String>
    private let isOnLoopback: Bool
    private let ownAddress: String

    init(_ listen: Configuration.Listen) {
        names = Set(listen.names.map { $0.lowercased() })
        isOnLoopback = listen.isLoopback && !listen.behindProxy
        ownAddress = listen.address.lowercased()
    }

    /// The same for a listener of another address.
    init(_ listen: Configuration.Listen, address: String) {
        var listen = listen
        listen.address = address
        self.init(listen)
    }

    /// - Parameter host: the header as it came: a name or address, perhaps with a port.
    func allows(_ host: String) -> Bool {
        guard let name = Self.name(in: host) else { return false }
        if names.contains(name) || name == "localhost" { return true }
        if NetworkAddress.isNumeric(name) {
            return !isOnLoopback || NetworkAddress.isLoopback(name) || name == ownAddress
        }
        return !isOnLoopback && names.isEmpty
    }

    /// A hint for refused clients.
    var hint: String {
        let known = names.isEmpty ? "" : ", " + names.sorted().joined(separator: ", ")
        return "this server goes by \(isOnLoopback ? "localhost, 127.0.0.1, [::1]" : "its address")\(known); "
            + "listen.names adds others"
    }

    /// The host without its port and brackets, in small letters; nil when it is none.
    private static func name(in host: String) -> String? {
        var rest = host.lowercased()[...]
        if rest.first == "[" {
            guard let end = rest.firstPlace(of: "]"), isPort(rest[rest.index(after: end)...]) else { return nil }
            let name = String(rest[rest.index(after: rest.startIndex)..<end])
            return name.contains(":") && NetworkAddress.isNumeric(name) ? name : nil
        }
        if let colon = rest.firstPlace(of: ":") {
            guard isPort(rest[colon...]) else { return nil }
            rest = rest[..<colon]
        }
        // "example.org." is "example.org" (RFC 9110 leaves it to us).
        if rest.last == "." { rest.removeLast() }
        return rest.isEmpty ? nil : String(rest)
    }

    /// Nothing, or a colon and at most five digits (RFC 3986 3.2.3 allows none).
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        return text.utf8.count <= 6 && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
