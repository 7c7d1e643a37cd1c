internal import CairnWebSocket

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Addresses with the same beginning: `10.0.0.0/8`, `2001:db8::/32`, or one address.
struct NetworkRange: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64

    /// Reads an address with or without `/` and the length of its prefix; nil for anything else. Bits behind the prefix
    /// do not matter.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = PeerAddress(numeric: String(parts[0])) else { return nil }
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

    func contains(_ address: PeerAddress) -> Bool {
        address.high & highMask == high && address.low & lowMask == low
    }

    /// The first `count` of 64 bits.
    private static func mask(_ count: Int) -> UInt64 { count == 0 ? 0 : ~UInt64(0) << UInt64(64 - count) }
}

extension PeerAddress {
    /// Reads an IPv4 or IPv6 address in numbers, without brackets and port; nil for anything else.
    init?(numeric text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            bytes = Array(repeating: 0, count: 10) + [0xFF, 0xFF] + bytes[..<4]
        } else if inet_pton(AF_INET6, text, &bytes) != 1 {
            return nil
        }
        func half(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(0..<8), low: half(8..<16))
    }
}
