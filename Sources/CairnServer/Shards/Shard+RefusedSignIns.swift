internal import CairnWire

/// Sign-ins that come to nothing (SES-2, ACC-5).
extension Shard {
    /// Refuses a sign-in.
    func refuse(_ session: Session, _ hello: Session.Hello, _ refusal: Refusal) {
        refuse(session, id: hello.id, refusal)
        answered(hello.field, since: hello.at, isRefused: true)
    }

    /// Ends the token of a sign-in that is refused after it was made. The client never gets it, and it would stand in
    /// the list of devices.
    func forgo(_ outcome: SignIn.Outcome) {
        if case .signedIn(let known) = outcome, known.hasNewToken { forgo(known.token) }
    }

    /// Ends a token that its connection does not get. A failure is in the log, and the token expires as any other.
    func forgo(_ token: String) {
        let signIn = context.signIn
        Task { try? await signIn.revoke(token) }
    }
}
