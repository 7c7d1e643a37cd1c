internal import CairnText

/// Believes what a token says: `standin:SUBJECT:EMAIL:FIRST:LAST`. Anybody can be anybody, so it is refused where
/// others can connect (`Configuration.conflicts`).
struct IdentityStandIn: StandIn {
    let limit: Duration

    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        let token = call["token"]
        if let word = token.pieces(at: "-", maxSplits: 1).last, token == "standin-\(word)",
            let outcome = await Imitation(rawValue: String(word))?.outcome(timeLimit: limit)
        {
            return outcome
        }
        let parts = token.pieces(at: ":", omittingEmptySubsequences: false).map(String.init)
        guard call.action == "check", parts.count == 5, parts[0] == "standin", !parts[1].isEmpty else {
            return .success(.refused(code: "social_token_invalid", message: "the token is not valid"))
        }
        return .success(
            .done(["subject": parts[1], "email": parts[2], "firstName": parts[3], "lastName": parts[4]]))
    }
}
