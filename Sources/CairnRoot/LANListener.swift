public import CairnConfiguration
internal import CairnStore
internal import CairnWebSocket
internal import Foundation

/// What `cairn serve --lan` listens with: an address of this machine in the local network, and a certificate that the
/// server has made for itself.
public struct LANListener: Sendable {
    /// IP address to listen on.
    public let address: String
    /// PEM file with certificate and key, which lasts over restarts, so that a phone is asked once. It stands beside
    /// the key of the world: whoever has a copy of the data cannot pass for this server.
    public let pemPath: String

    /// Where earlier releases kept it, in the data folder.
    private static let formerName = "lan.pem"

    /// - Parameters:
    ///   - address: the operator's choice; nil = the first one of the machine that others can reach.
    ///   - storage: says where the key of the world is, beside which the certificate is kept.
    /// - Throws: `ConfigurationError` when there is no such address, or the file cannot be written.
    public init(address: String?, storage: Configuration.Storage) throws(ConfigurationError) {
        let reachable = LocalAddresses.reachable()
        guard let address = address ?? reachable.first(where: { !$0.contains(":") }) ?? reachable.first else {
            throw ConfigurationError([
                "--lan: this machine is in no network: join one, or choose an address with --address"
            ])
        }
        self.address = address
        let folder = storage.path ?? "."
        pemPath = storage.keyFile.map { $0 + ".lan.pem" } ?? folder + "/" + Self.formerName
        var names = ["localhost", "127.0.0.1", "::1", address] + reachable
        if let host = LocalAddresses.hostName { names += [host, host + ".local"] }
        // An address that stands for all others is nobody's name.
        names.removeAll { NetworkAddress.isWildcard($0) }
        // What stood in the data folder may have been copied, or come from somebody else: another one takes its place.
        if storage.keyFile != nil { unlink(folder + "/" + Self.formerName) }
        guard !OwnCertificate.fits(pemPath, for: names) else { return }
        guard let pem = OwnCertificate.make(for: names) else {
            throw ConfigurationError(["--lan: no certificate can be made for \(names.joined(separator: ", "))"])
        }
        try Self.write(pem, to: pemPath, in: pemPath.parentDirectory)
    }

    /// Only the owner can read it, from its first byte on, and it gets its name when it is whole.
    private static func write(_ pem: String, to path: String, in folder: String) throws(ConfigurationError) {
        func failed() -> ConfigurationError {
            ConfigurationError(["--lan: write \(path): \(String(cString: strerror(errno)))"])
        }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = path + ".part"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failed() }
        defer { close(file) }
        let bytes = Array(pem.utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, rename(draft, path) == 0
        else { throw failed() }
    }
}

/// The names by which this machine can be reached.
private enum LocalAddresses {
    /// Addresses of interfaces that are up, in the kernel's order: real cards come before bridges of virtual machines.
    /// Without loopback, and without link-local ones of IPv6, which no page can be opened by.
    static func reachable() -> [String] {
        // Good until it is freed below.
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let isUp = entry.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback, let address = entry.ifa_addr, let text = text(of: address) else { continue }
            if !text.hasPrefix("fe80:") { found.append(text) }
        }
        return found
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, socklen_t(length), &bytes, socklen_t(bytes.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// As the machine calls itself; nil when that is no name for a certificate.
    static var hostName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        let isName =
            (1...63).contains(name.count)
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return isName && name != "localhost" ? name : nil
    }
}
