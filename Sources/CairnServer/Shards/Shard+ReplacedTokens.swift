internal import CairnCore
internal import CairnWebSocket

/// Tokens that a sign-in replaces (ACC-5).
extension Shard {
    /// Welcomes a person whose sign-in is admitted, once the tokens that it replaces have ended on every loop. One that
    /// is refused ends no token: its device stays signed in.
    func admitted(_ session: Session) {
        guard case .welcoming(let user, let hello) = session.stage, hello.replacesTokens else {
            pause(session, false)
            return greet(session, resumed: false)
        }
        let (participant, signIn, shards) = (session.participant, context.signIn, peers)
        // One task per sign-in: it waits for the disk.
        Task {
            let ended = await signIn.replaceTokens(by: user.token, of: user.account)
            await Self.end(.devices(ended, of: user.account), on: shards)
            self.post { $0.hasReplacedTokens(participant, hello) }
        }
    }

    private func hasReplacedTokens(_ participant: Participant, _ hello: Session.Hello) {
        guard let session = session(of: participant) else { return }
        // The same device has signed in on another connection meanwhile.
        if case .guest = session.stage { return greetGuest(session, hello, tokenExpired: true) }
        pause(session, false)
        greet(session, resumed: false)
    }
}
