internal import CairnConfiguration
package import CairnWebSocket

extension PeerAddress {
    /// Reads an IPv4 or IPv6 address in numbers, without brackets and port; nil for anything else.
    init?(numeric text: String) {
        guard let (high, low) = NetworkAddress.halves(of: text) else { return nil }
        self.init(high: high, low: low)
    }

    /// The address in numbers, for the log: `192.0.2.1`, or eight groups of an IPv6 address.
    package var text: String {
        if high == 0 && low >> 32 == 0xFFFF {
            return [24, 16, 8, 0].map { String((low >> UInt64($0)) & 0xFF) }.joined(separator: ".")
        }
        return [high, low].flatMap { half in [48, 32, 16, 0].map { String((half >> UInt64($0)) & 0xFFFF, radix: 16) } }
            .joined(separator: ":")
    }
}

extension NetworkRange {
    func contains(_ address: PeerAddress) -> Bool { contains(high: address.high, low: address.low) }
}
