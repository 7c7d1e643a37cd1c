/// Sends nothing and says that it has. The words are those of `device`.
struct PushStandIn: StandIn {
    let limit: Duration

    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        guard let imitation = Imitation(rawValue: call["device"]) else { return .success(.done([:])) }
        return await imitation.outcome(timeLimit: limit)
            ?? .success(.refused(code: "device_unknown", message: "the device is not known"))
    }
}
