public import CairnCore
public import CairnWire

/// An edit's answer repeats a pose with up to 4 KB of anchor data, which whoever asks again sends again.
extension Placements {
    public static func shortened(_ result: Request.Result) -> Request.Result {
        switch result {
        case .placed(var placed):
            placed.instance.clearPose()
            placed.instance.object = ""
            return .placed(placed)
        case .edited(var edited):
            edited.instance.clearPose()
            return .edited(edited)
        default: return result
        }
    }

    public static func completed(_ result: Request.Result, from request: Request) -> Request.Result {
        switch result {
        case .placed(var placed) where !placed.instance.hasPose:
            guard let body = try? WireBody.decode(WirePlace.self, from: request.payload) else { return result }
            placed.instance.pose = body.pose
            placed.instance.object = body.object
            return .placed(placed)
        case .edited(var edited) where !edited.instance.hasPose:
            guard let body = try? WireBody.decode(WireEdit.self, from: request.payload) else { return result }
            edited.instance.pose = body.pose
            return .edited(edited)
        default: return result
        }
    }
}
