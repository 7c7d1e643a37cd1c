internal import CairnCore
internal import CairnWire

/// Gives the help in the connection's language, to guests too (PRF-10).
struct GetHelp: EntranceCommand {
    static let sender = EntranceSender.anyone

    init(_ body: WireGetHelp) {}

    func run(for applicant: Applicant, by signIn: SignIn) async -> EntranceOutcome {
        .answered(.help(signIn.help.wire(in: applicant.language)))
    }
}
