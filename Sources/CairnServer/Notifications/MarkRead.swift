internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Marks notifications as read, for all devices of the person (NTF-2).
struct MarkRead: EntranceCommand {
    static let sender = EntranceSender.user

    private static let countMax = 100
    private let body: WireMarkRead

    init(_ body: WireMarkRead) throws(Refusal) {
        guard body.allUntil.isEmpty ? (1...Self.countMax).contains(body.ids.count) : body.ids.isEmpty else {
            throw Refusal(
                .missingField, "ids: 1 to \(Self.countMax), or allUntil", component: SignIn.component,
                details: ["field": "ids"])
        }
        self.body = body
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let account = try applicant.requireUser().account
        try await signIn.store.commit(try statements(of: account, by: signIn))
        return .answer(EntranceAnswer(result: .done(WireDone()), notified: [account]))
    }

    private func statements(of account: AccountID, by signIn: SignIn) throws(Refusal) -> [Statement] {
        guard body.allUntil.isEmpty else {
            guard let number = signIn.number(of: body.allUntil) else { throw Self.invalid("allUntil") }
            return [StoredNotification.reading(upTo: number, of: account)]
        }
        return try body.ids.map { name throws(Refusal) in
            guard let id: NotificationID = signIn.identifiers.identifier(named: name) else { throw Self.invalid("ids") }
            return StoredNotification.reading(id, of: account)
        }
    }

    private static func invalid(_ field: String) -> Refusal {
        Refusal(
            .invalidField, "\(field): not of a notification", component: SignIn.component, details: ["field": field])
    }
}
