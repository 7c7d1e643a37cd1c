internal import CairnCore
internal import CairnWebSocket
internal import CairnWire
internal import Synchronization

/// What the people of each network address have used of the quotas by address (`Quota.ofAddress`), over all loops.
///
/// A lock guards the table. Only the few kinds of messages that such a quota counts ask for it.
final class AddressQuotas: Sendable {
    /// Addresses that are remembered for each quota. Beyond it those with nothing used up are forgotten; all are where
    /// that makes little room, so that looking for them stays rare.
    private static let addressesMax = 4_096

    private let known = Mutex<[ObjectIdentifier: [PeerAddress: QuotaUse]]>([:])

    /// Counts one message from an address.
    /// - Parameter address: nil = a proxy does not say. All people behind it would share one limit: none holds.
    /// - Throws: the quota's refusal when it is used up.
    func admit(
        _ quotas: [Quota], from address: PeerAddress?, settings: Settings, now: LastingTime
    ) throws(Refusal) {
        guard let network = address?.network else { return }
        for quota in quotas {
            let refusal = known.withLock { known in
                Self.refusal(of: quota, &known[ObjectIdentifier(quota), default: [:]], network, settings, now)
            }
            if let refusal { throw refusal }
        }
    }

    private static func refusal(
        of quota: Quota, _ uses: inout [PeerAddress: QuotaUse], _ network: PeerAddress, _ settings: Settings,
        _ now: LastingTime
    ) -> Refusal? {
        if uses[network] == nil, uses.count >= addressesMax {
            uses = uses.filter { !isUnused($0.value, now) }
            if uses.count > addressesMax / 2 { uses = [:] }
        }
        return count(by: &uses[network, default: QuotaUse(of: quota, settings: settings)], settings, now)
    }

    private static func count(by use: inout QuotaUse, _ settings: Settings, _ now: LastingTime) -> Refusal? {
        use.apply(settings)
        if case .refused(let refusal) = use.reserve(now: now) { return refusal }
        use.settle(granted: true, now: now)
        return nil
    }

    private static func isUnused(_ use: QuotaUse, _ now: LastingTime) -> Bool {
        var use = use
        return use.isUnused(now: now)
    }
}
