internal import CairnText

/// Addresses with a common prefix: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct NetworkRange: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64

    /// Reads an address with or without `/` and the length of its prefix; nil for anything else. Bits behind the prefix
    /// do not matter.
    package init?(_ text: String) {
        let parts = text.pieces(at: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress.halves(of: String(parts[0])) else { return nil }
        let isIPv4 = !parts[0].contains(":")
        var prefix = 128
        if parts.count == 2 {
            guard parts[1].allSatisfy(\.isNumber), let length = Int(parts[1]), length <= (isIPv4 ? 32 : 128) else {
                return nil
            }
            prefix = isIPv4 ? 96 + length : length
        }
        highMask = Self.mask(min(prefix, 64))
        lowMask = Self.mask(max(prefix - 64, 0))
        (high, low) = (address.high & highMask, address.low & lowMask)
    }

    /// Whose addresses reach no further than a network of their owner's (RFC 1918, RFC 4193), of a link (RFC 3927, RFC
    /// 4291), or of a provider with shared addresses, as overlay networks use them (RFC 6598).
    private static let privateRanges = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10",
    ].compactMap { NetworkRange($0) }

    /// Whether an IPv6 address, or an IPv4 address mapped into IPv6, is private.
    package static func isPrivate(high: UInt64, low: UInt64) -> Bool {
        privateRanges.contains { $0.contains(high: high, low: low) }
    }

    /// Whether an IPv6 address, or an IPv4 address mapped into IPv6, is in the range.
    package func contains(high: UInt64, low: UInt64) -> Bool {
        high & highMask == self.high && low & lowMask == self.low
    }

    /// The first `count` of 64 bits.
    private static func mask(_ count: Int) -> UInt64 { count == 0 ? 0 : ~UInt64(0) << UInt64(64 - count) }
}
