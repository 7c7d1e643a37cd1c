internal import CairnCore
internal import CairnWire

/// Lists the person's notifications, newest first.
struct ListNotifications: EntranceCommand {
    static let sender = EntranceSender.user

    private static let countMax: UInt32 = 100
    private static let countDefault = 20
    private let body: WireListNotifications

    init(_ body: WireListNotifications) throws(Refusal) {
        guard body.count <= Self.countMax else {
            throw Refusal(
                .invalidField, "count: 1 to \(Self.countMax)", component: SignIn.component,
                details: ["field": "count"])
        }
        self.body = body
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        var before: Int64?
        if !body.after.isEmpty {
            guard let number = signIn.number(of: body.after) else {
                throw Refusal(
                    .invalidField, "after: not the next of a page", component: SignIn.component,
                    details: ["field": "after"])
            }
            before = number
        }
        let count = body.count == 0 ? Self.countDefault : Int(body.count)
        let page = try await signIn.page(of: user.account, before: before, count: count, without: user.absent)
        return .answered(.notificationPage(page))
    }
}
