public import CairnWire

/// Friends, blocks, and searches for people (FRD-1 to FRD-7). People are named by their account ids.
extension CairnClient {
    /// Searches people by the beginning of their names (FRD-1).
    public func findUsers(_ prefix: String) async throws(Refusal) -> [WireUser] {
        var body = WireFindUsers()
        body.prefix = prefix
        return try await ask(body).users
    }

    /// Asks a person to become a friend (FRD-2).
    /// - Returns: whether the two are friends now, because that person had asked, too.
    @discardableResult
    public func requestFriend(_ account: String) async throws(Refusal) -> Bool {
        var body = WireRequestFriend()
        body.account = account
        return try await ask(body).friends
    }

    /// Accepts or rejects a friend request (FRD-3).
    public func answerFriendRequest(of account: String, accepting: Bool) async throws(Refusal) {
        var body = WireAnswerFriendRequest()
        body.account = account
        body.accept = accepting
        _ = try await ask(body)
    }

    /// Withdraws an own friend request that is not answered (FRD-4).
    public func withdrawFriendRequest(to account: String) async throws(Refusal) {
        var body = WireWithdrawFriendRequest()
        body.account = account
        _ = try await ask(body)
    }

    /// Ends a friendship (FRD-6).
    public func unfriend(_ account: String) async throws(Refusal) {
        var body = WireUnfriend()
        body.account = account
        _ = try await ask(body)
    }

    /// Lists friends and open requests (FRD-5).
    /// - Parameter account: whose; empty = the user's own.
    public func friends(of account: String = "") async throws(Refusal) -> WireFriendList {
        var body = WireListFriends()
        body.account = account
        return try await ask(body)
    }

    /// Blocks a person (FRD-7).
    public func block(_ account: String) async throws(Refusal) {
        var body = WireBlock()
        body.account = account
        _ = try await ask(body)
    }

    /// Ends a block (FRD-7).
    public func unblock(_ account: String) async throws(Refusal) {
        var body = WireUnblock()
        body.account = account
        _ = try await ask(body)
    }

    /// Lists the people whom the user has blocked (FRD-7).
    public func blocks() async throws(Refusal) -> [WireUser] {
        return try await ask(WireListBlocks()).users
    }
}
