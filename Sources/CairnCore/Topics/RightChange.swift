public import CairnWire

/// A right that a turn grants or ends.
public struct RightChange: Hashable, Sendable {
    public let account: AccountID
    public let scope: Scope
    /// False = the right ends.
    public let isGrant: Bool

    public init(_ account: AccountID, _ scope: Scope, isGrant: Bool) {
        self.account = account
        self.scope = scope
        self.isGrant = isGrant
    }
}

extension RightChange: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(account, scope, isGrant) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(try decoder.get(), try decoder.get(), isGrant: try decoder.get())
    }
}
