internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Keeps where the pushes to a device go (NTF-3).
struct RegisterPush: EntranceCommand {
    static let sender = EntranceSender.user

    /// Web push addresses, the longest, have some 500.
    private static let bytesMax = 1_024
    private let address: String

    init(_ body: WireRegisterPush) throws(Refusal) {
        guard body.address.utf8.count <= Self.bytesMax else {
            throw Refusal(
                .invalidField, "address: at most \(Self.bytesMax) bytes", component: SignIn.component,
                details: ["field": "address"])
        }
        address = body.address
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let print = user.storedPrint else {
            throw Refusal(
                .forbidden, "a sign-in by a token of the app's backend is no device", component: SignIn.component)
        }
        try await signIn.store.commit([
            NotificationDevice.registration(address, in: applicant.language, by: print, of: user.account)
        ])
        return .done
    }
}
