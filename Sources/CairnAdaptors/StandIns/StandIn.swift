/// A local stand-in for an outside service: deterministic, and able to imitate refusal, slowness and failure (EXT-2).
protocol StandIn: Sendable {
    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome
}

/// What a stand-in is asked to imitate, by a word in the call.
enum Imitation: String {
    case refused, slow, failing

    /// Carries out slowness and failure; nil for refusal, whose code is the stand-in's.
    func outcome(timeLimit: Duration) async -> AdaptorLine.Outcome? {
        switch self {
        case .refused: return nil
        case .failing: return .failure(.failed)
        case .slow:
            // The desk has ended the call by then.
            try? await Task.sleep(for: timeLimit * 2)
            return .failure(.failed)
        }
    }
}

/// The stand-ins, by adaptor.
enum StandIns {
    static func make(_ name: AdaptorName, _ settings: AdaptorSettings) -> any StandIn {
        switch name {
        case .mail: MailStandIn(folder: settings.mailFolder, sender: settings.mailFrom, limit: settings.timeLimit)
        case .identity: IdentityStandIn(limit: settings.timeLimit)
        case .push: PushStandIn(limit: settings.timeLimit)
        case .payment: PaymentStandIn(folder: settings.paymentFolder, limit: settings.timeLimit)
        case .receipts: ReceiptStandIn(limit: settings.timeLimit)
        default: preconditionFailure("the adaptor \(name) has no stand-in")
        }
    }
}
