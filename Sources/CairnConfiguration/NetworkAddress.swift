#if canImport(Glibc)
internal import CairnText
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Questions about a numeric IP address.
package enum NetworkAddress {
    /// Whether `text` is an IPv4 or IPv6 address in numbers, such as `127.0.0.1` or `::1`.
    package static func isNumeric(_ text: String) -> Bool {
        ipv4(text) != nil || ipv6(text) != nil
    }

    /// Whether only this machine can reach `text`: 127.0.0.0/8, `::1`, or either as an IPv4-mapped IPv6 address.
    package static func isLoopback(_ text: String) -> Bool {
        if let bytes = ipv4(text) { return bytes[0] == 127 }
        guard let bytes = ipv6(text) else { return false }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes[15] == 1 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        return isMapped && bytes[12] == 127
    }

    /// Whether `text` stands for all addresses of the machine: `0.0.0.0` or `::`.
    package static func isWildcard(_ text: String) -> Bool {
        (ipv4(text) ?? ipv6(text))?.allSatisfy { $0 == 0 } ?? false
    }

    /// The two parts of `127.0.0.1:8081` or `[::1]:8081`; nil for anything else.
    package static func parts(of text: String) -> (address: String, port: Int)? {
        guard let colon = text.lastPlace(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var address = text[..<colon]
        if address.hasPrefix("[") && address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
            return ipv6(String(address)) == nil ? nil : (String(address), port)
        }
        return ipv4(String(address)) == nil ? nil : (String(address), port)
    }

    /// An IPv4 or IPv6 address in numbers, without brackets and port, as the two halves of one of IPv6; nil for
    /// anything else.
    package static func halves(of text: String) -> (high: UInt64, low: UInt64)? {
        let mapped = ipv4(text).map { Array(repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
        guard let bytes = mapped ?? ipv6(text) else { return nil }
        func half(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        return (half(0..<8), half(8..<16))
    }

    private static func ipv4(_ text: String) -> [UInt8]? {
        parse(text, family: AF_INET, count: 4)
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        parse(text, family: AF_INET6, count: 16)
    }

    private static func parse(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
