internal import CairnCore
public import CairnWire

extension Placements {
    public static let refusals: [Refusal.Code] = [
        .objectNotOwned, .badPose, .tooFar, .quotaArea, .restrictedArea, .dataTooLarge,
    ]
}
