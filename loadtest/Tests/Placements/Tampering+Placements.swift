import CairnWire

@testable import cairn_crowd

extension Tampering {
    /// The falsified quota of placements a minute.
    private static let quota: UInt32 = 3

    /// The welcome with the falsified quota; nil = the item is no welcome.
    static func understated(_ item: Item) -> [UInt8]? {
        guard var message = try? ServerMessageDecoder.decode(item.bytes, format: .proto),
            case .reply(var reply)? = message.items.first?.body, case .welcome(var welcome)? = reply.result
        else { return nil }
        welcome.limits.placementsPerMinute = quota
        reply.result = .welcome(welcome)
        message.items[0].body = .reply(reply)
        return ServerItemEncoder.encode(message.items[0], format: .proto)
    }
}
