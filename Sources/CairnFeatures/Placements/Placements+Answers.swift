public import CairnCore
public import CairnWire

/// An answer repeats a pose with up to 4 KB of anchor data, and words and data of up to 4 KB, which whoever asks again
/// sends again.
extension Placements {
    public static func shortened(_ result: Request.Result) -> Request.Result {
        switch result {
        case .placed(var placed):
            placed.instance.clearPose()
            placed.instance.object = ""
            placed.instance.clearInscription()
            return .placed(placed)
        case .edited(var edited):
            edited.instance.clearPose()
            edited.instance.clearInscription()
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
            placed.instance.text = body.text
            placed.instance.data = body.data
            return .placed(placed)
        case .edited(var edited) where !edited.instance.hasPose:
            guard let body = try? WireBody.decode(WireEdit.self, from: request.payload) else { return result }
            edited.instance.pose = body.pose
            edited.instance.text = body.text
            edited.instance.data = body.data
            return .edited(edited)
        default: return result
        }
    }

    public static func broughtIn(by result: Request.Result, of request: Request) -> WireInstance? {
        switch result {
        case .placed(let placed): return placed.instance
        case .edited(let edited):
            guard let body = try? WireBody.decode(WireEdit.self, from: request.payload),
                body.cell != edited.instance.cell
            else { return nil }
            return edited.instance
        default: return nil
        }
    }
}

extension WireInstance {
    fileprivate mutating func clearInscription() {
        text = ""
        dataBytes = []
    }
}
