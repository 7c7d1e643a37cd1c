public import CairnWire

/// What an account may do (ROL-1). The server decides it, with each request; no client says its own.
public enum Role: String, Sendable, CaseIterable {
    /// A connection without an account.
    case guest
    case general
    case organisation
    /// Has the admin functions and its own sign-in, and nothing else (ROL-4).
    case admin

    /// Roles of people who are somewhere: others see and count them, and they send positions and the commands of
    /// features.
    public static let inWorld: [Role] = [.general, .organisation]

    /// Of a question that guests who look may ask too (SES-14).
    public static let onlookers = inWorld + [guest]

    public var isInWorld: Bool { Self.inWorld.contains(self) }

    /// The refusal of a request that others may send; `details.role` names them.
    public static func refusal(needing roles: [Role], component: String) -> Refusal {
        let names = roles.map(\.rawValue)
        return Refusal(
            .forbidden, "this is for accounts with the role \(names.joined(separator: " / "))", component: component,
            details: ["role": names.joined(separator: ",")])
    }
}

extension Role: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(rawValue) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        guard let role = Role(rawValue: try decoder.get()) else { throw .outOfRange }
        self = role
    }
}
