internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Searches people by a part of their names, those that begin with it first (FRD-1).
struct FindUsers: EntranceCommand {
    static let sender = EntranceSender.inWorld

    private static let prefixBytesMax = 256
    private let prefix: String

    init(_ body: WireFindUsers) throws(Refusal) {
        prefix = body.prefix.withoutBlanksAround
        guard !prefix.isEmpty, prefix.utf8.count <= Self.prefixBytesMax else {
            throw Refusal(
                .missingField, "prefix: 1 to \(Self.prefixBytesMax) bytes", component: SignIn.component,
                details: ["field": "prefix"])
        }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        try signIn.admitSearch(of: user, at: applicant)
        let entries = signIn.names.people.entries(containing: prefix, max: signIn.accounts.searchResults) {
            $0.id != user.account && !user.absent.contains($0.id) && !signIn.names.isAdmin($0.id)
        }
        let query = Relation.query(of: user.account, among: entries.map(\.id))
        let relations = signIn.relations(in: try await signIn.store.read([query])[0])
        // The connection does not know of a block of this moment.
        let hidden = signIn.hidden(from: user.account, among: relations)
        let found = entries.filter { !hidden.contains($0.id) }
        let friends = Set(relations.filter(\.areFriends).map { $0.other(than: user.account) })
        let shown = found.map(\.id).filter { signIn.names.privacy(of: $0).profile.admits(friends.contains($0)) }
        let pictures = try await signIn.pictures(of: shown)
        var list = WireUserList()
        list.users = found.map { entry in
            var wire = WireUser()
            wire.account = signIn.identifiers.name(of: entry.id)
            wire.name = entry.name
            wire.picture = pictures[entry.id].map { signIn.identifiers.name(of: $0) } ?? ""
            return wire
        }
        return .answered(.userList(list))
    }
}

extension SignIn {
    /// The pictures of people who have one. A damaged profile has none; reading the profile reports it.
    fileprivate func pictures(of people: [AccountID]) async throws -> [AccountID: AssetID] {
        let answers = try await store.read(people.map { ProfileRecord.query($0) })
        var pictures: [AccountID: AssetID] = [:]
        for (person, rows) in zip(people, answers) {
            pictures[person] = (try? ProfileRecord(rows, of: person))?.picture
        }
        return pictures
    }
}
