import CairnWire

@testable import CairnCrowd

extension Tampering {
    /// The falsified quota of placements a minute.
    private static let quota: UInt32 = 3

    /// The welcome with the falsified quota; nil = the item is no welcome.
    static func understated(_ item: Item) -> [UInt8]? {
        guard var decoded = item.decoded, case .reply(var reply)? = decoded.body,
            case .welcome(var welcome)? = reply.result
        else { return nil }
        welcome.limits.placementsPerMinute = quota
        reply.result = .welcome(welcome)
        decoded.body = .reply(reply)
        return ServerItemEncoder.encode(decoded, format: .proto)
    }
}
