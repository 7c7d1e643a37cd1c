internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A device has received notifications: it is never sent them again (NTF-1).
struct ReceivedNotifications: EntranceCommand {
    static let sender = EntranceSender.user

    private let mark: String

    init(_ body: WireReceivedNotifications) { mark = body.mark }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let number = signIn.number(of: mark) else {
            throw Refusal(
                .invalidField, "mark: not of notifications", component: SignIn.component,
                details: ["field": "mark"])
        }
        // A session by a token of the app's backend keeps its mark itself.
        if let print = user.storedPrint {
            try await signIn.store.commit([NotificationDevice.receipt(number, by: print, of: user.account)])
        }
        return .answer(EntranceAnswer(result: .done(WireDone()), received: number))
    }
}
