internal import CairnConfiguration
internal import CairnWebSocket

extension PeerAddress {
    /// Reads an IPv4 or IPv6 address in numbers, without brackets and port; nil for anything else.
    init?(numeric text: String) {
        guard let (high, low) = NetworkAddress.halves(of: text) else { return nil }
        self.init(high: high, low: low)
    }
}

extension NetworkRange {
    func contains(_ address: PeerAddress) -> Bool { contains(high: address.high, low: address.low) }
}
