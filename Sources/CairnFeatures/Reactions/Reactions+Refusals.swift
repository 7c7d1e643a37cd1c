internal import CairnCore
public import CairnWire

extension Reactions {
    public static let refusals: [Refusal.Code] = [
        .unknownReaction
    ]
}
