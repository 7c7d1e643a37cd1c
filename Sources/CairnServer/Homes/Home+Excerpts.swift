internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// A follower for whom people are absent.
struct ExcerptReader: Sendable {
    let account: AccountID
    /// `FollowRequest.number` of its follow.
    let number: UInt64
    /// Whether it is sent bytes of its own; else those of the topic, which are the same so far.
    var isDistinct: Bool
}

/// The excerpt that a new follower gets in place of the topic.
struct FollowedExcerpt {
    /// Nil = the topic, or an excerpt that is the same so far.
    var distinct: TopicExcerpt?
    /// Whether what the client holds is good.
    var holdsCursor = true

    var isDistinct: Bool { distinct != nil }
}

/// Excerpts of the home's topics, for accounts for whom people are absent (FRD-7). Everybody else shares each byte.
extension Home {
    // MARK: Following

    /// Makes a new follower a reader of its account's excerpt, if the account has one.
    func excerpt(for request: FollowRequest) -> FollowedExcerpt {
        let (account, scope, participant) = (request.account, request.scope, request.participant)
        guard !request.absent.isEmpty || host.core.lend({ $0.topic(scope)?.excerpt(for: account) }) != nil else {
            return FollowedExcerpt()
        }
        host.removeExcerptReader(participant, of: scope)
        var followed = FollowedExcerpt()
        if host.excerptReaders[scope]?.values.contains(where: { $0.account == account }) == true {
            followed.holdsCursor = !change(request)
        } else {
            followed.holdsCursor = host.core.value.follow(scope, by: account, without: request.absent)
        }
        if shows(anyOf: request.absent) { beginExcerpts(of: scope, for: account) }
        guard let excerpt = host.core.lend({ $0.topic(scope)?.excerpt(for: account) }) else { return followed }
        if excerpt.isDistinct { followed.distinct = excerpt }
        host.add(
            ExcerptReader(account: account, number: request.number, isDistinct: excerpt.isDistinct), participant,
            of: scope)
        return followed
    }

    // MARK: Changes

    /// Goes by other absences of a follower's account from now on, and says so.
    func goByAbsences(of request: FollowRequest, number: UInt64) {
        let (account, scope, participant) = (request.account, request.scope, request.participant)
        host.core.value.open(scope)
        change(request)
        if host.excerptReaders[scope]?[participant] == nil,
            let excerpt = host.core.lend({ $0.topic(scope)?.excerpt(for: account) })
        {
            let reader = ExcerptReader(account: account, number: request.number, isDistinct: false)
            host.add(reader, participant, of: scope)
            if excerpt.isDistinct { goOver(participant, reader, to: excerpt, of: scope) }
        }
        shard.assumeIsolated {
            $0.dispatch(.connection(participant, .absencesKnown(number: number)), to: participant.place)
        }
    }

    /// Takes the absences of an account into its excerpt, and tells its readers.
    /// - Returns: whether anything has changed.
    @discardableResult
    private func change(_ request: FollowRequest) -> Bool {
        let (account, scope) = (request.account, request.scope)
        let former = host.core.lend { $0.topic(scope)?.excerpt(for: account)?.absent } ?? []
        guard let events = host.core.value.change(scope, for: account, toWithout: request.absent) else { return false }
        if shows(anyOf: former.symmetricDifference(request.absent)) {
            host.core.value.makeDistinct(account, in: scope)
        }
        guard let excerpt = host.core.lend({ $0.topic(scope)?.excerpt(for: account) }), excerpt.isDistinct else {
            return true
        }
        let (gone, back) = (request.absent.subtracting(former), former.subtracting(request.absent))
        for (participant, reader) in host.excerptReaders(of: account, in: scope) {
            guard reader.isDistinct else {
                goOver(participant, reader, to: excerpt, of: scope)
                continue
            }
            let presence = presence(leaving: gone, joining: back, for: participant.format)
            send(events, presence, revoking: true, to: participant, reader, of: scope)
        }
        return true
    }

    /// A device that was sent the topic gets the excerpt from here on.
    private func goOver(
        _ participant: Participant, _ reader: ExcerptReader, to excerpt: TopicExcerpt, of scope: Scope
    ) {
        let events = host.core.lend { $0.transition(of: reader.account, in: scope) }
        let presence = presence(leaving: excerpt.absent, joining: [], for: participant.format)
        host.excerptReaders[scope]?[participant]?.isDistinct = true
        send(events, presence, revoking: true, to: participant, reader, of: scope)
    }

    /// An absent person has come, or does something here: from here on the account is sent its excerpt.
    func beginExcerpts(of scope: Scope, for account: AccountID) {
        host.core.value.makeDistinct(account, in: scope)
        for (participant, reader) in host.excerptReaders(of: account, in: scope) where !reader.isDistinct {
            host.excerptReaders[scope]?[participant]?.isDistinct = true
            send([], nil, revoking: false, to: participant, reader, of: scope)
        }
    }

    /// A person is about to be seen here.
    func beginExcerpts(without person: AccountID) {
        for (scope, readers) in host.excerptReaders {
            for account in Set(readers.values.lazy.filter { !$0.isDistinct }.map(\.account))
            where host.core.lend({ $0.topic(scope)?.excerpt(for: account)?.absent.contains(person) }) == true {
                beginExcerpts(of: scope, for: account)
            }
        }
    }

    private func send(
        _ events: [WireItem]?, _ presence: [UInt8]?, revoking: Bool, to participant: Participant,
        _ reader: ExcerptReader, of scope: Scope
    ) {
        let encoded = events.map { $0.map { ServerItemEncoder.encode($0, format: participant.format) } }
        let items = ExcerptItems(events: encoded, presence: presence, revokes: revoking)
        let work = ConnectionWork.beginExcerpt(Topic(address, scope), number: reader.number, items)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }

    // MARK: Events

    /// Sends an event of an account's excerpt.
    func tell(_ item: WireItem, of scope: Scope, toReadersOf account: AccountID) {
        for (participant, reader) in host.excerptReaders(of: account, in: scope) where reader.isDistinct {
            let encoded = EncodedItem(item, json: participant.format == .json)
            tellExcerpt(.event(encoded), of: scope, to: participant)
        }
    }

    func tellExcerpt(_ work: TopicWork, of scope: Scope, to participant: Participant) {
        let work = ConnectionWork.excerpt(Topic(address, scope), work)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }
}

extension HomeHost {
    func add(_ reader: ExcerptReader, _ participant: Participant, of scope: Scope) {
        excerptReaders[scope, default: [:]][participant] = reader
        let accounts = excerptReaders[scope, default: [:]].values.lazy.map(\.account)
        core.value.dropExcerpts(of: scope) { accounts.contains($0) }
    }

    func removeExcerptReader(_ participant: Participant, of scope: Scope) {
        guard excerptReaders[scope]?.removeValue(forKey: participant) != nil else { return }
        if excerptReaders[scope]?.isEmpty == true { excerptReaders[scope] = nil }
    }

    /// The devices of an account that read its excerpt.
    func excerptReaders(of account: AccountID, in scope: Scope) -> [(Participant, ExcerptReader)] {
        excerptReaders[scope]?.filter { $0.value.account == account }.map { ($0.key, $0.value) } ?? []
    }
}
