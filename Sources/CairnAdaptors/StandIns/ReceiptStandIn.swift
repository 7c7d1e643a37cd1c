internal import CairnText

/// Believes what a receipt says: `standin:TRANSACTION:PRODUCT`, where the product is the tour that is bought.
struct ReceiptStandIn: StandIn {
    let limit: Duration

    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        let data = call["data"]
        if let word = data.pieces(at: "-", maxSplits: 1).last, data == "standin-\(word)",
            let outcome = await Imitation(rawValue: String(word))?.outcome(timeLimit: limit)
        {
            return outcome
        }
        let parts = data.pieces(at: ":", omittingEmptySubsequences: false).map(String.init)
        guard call.action == "check", parts.count == 3, parts[0] == "standin", !parts[1].isEmpty,
            parts[2] == call["product"]
        else { return .success(.refused(code: "payment_invalid", message: "the receipt is not valid")) }
        return .success(.done(["transaction": parts[1]]))
    }
}
