internal import CairnCore
internal import CairnCredentials
internal import CairnWire

/// Who has how many uploads under way, and which one makes room for a newcomer where a bound of all is reached
/// (OBJ-12). A pure value; the `AssetDepot` keeps it. What is stored decides about the bounds.
///
/// 1. An idle upload makes room: the one that has been without progress for the longest time.
/// 2. Else the address that has the most, and of it the account that has the most, if that is more than the newcomer's
///    own with the new one: the upload of it that has waited the longest for its next chunk.
/// 3. Else none does, and the newcomer is refused.
struct OpenUploads: Sendable {
    /// What is counted: that of which there is no more room.
    enum Measure: Sendable {
        case count, bytes
    }

    struct Owner: Hashable, Sendable {
        let account: AccountID
        /// Nil = it was begun before the server started: its account is an address of its own.
        let address: LimitKey?

        fileprivate var place: Place { address.map { .address($0) } ?? .account(account) }
    }

    fileprivate enum Place: Hashable {
        case address(LimitKey)
        case account(AccountID)
    }

    private struct Upload: Sendable {
        let owner: Owner
        let bytes: Int
        /// Its last chunk, or its beginning; where the answer to the chunk is withheld, when that is due.
        var moved: LastingTime

        func size(_ measure: Measure) -> Int { measure == .count ? 1 : bytes }
    }

    private var uploads: [UploadID: Upload] = [:]

    var count: Int { uploads.count }

    mutating func begin(_ id: UploadID, by owner: Owner, bytes: Int, at time: LastingTime) {
        uploads[id] = Upload(owner: owner, bytes: bytes, moved: time)
    }

    /// A chunk has arrived, or is answered at this time.
    mutating func move(_ id: UploadID, at time: LastingTime) { uploads[id]?.moved = time }

    mutating func end(_ id: UploadID) { uploads[id] = nil }

    /// An account's upload that has been idle for the longest time; nil = none is idle.
    func idle(of account: AccountID, for idle: Duration, at now: LastingTime) -> UploadID? {
        uploads.filter { $0.value.owner.account == account && now - $0.value.moved >= idle }
            .min { ($0.value.moved, $0.key) < ($1.value.moved, $1.key) }?.key
    }

    /// The upload that makes room; nil = none does.
    /// - Parameter bytes: of the newcomer's upload.
    func makingRoom(
        for owner: Owner, bytes: Int, by measure: Measure, idle: Duration, at now: LastingTime
    ) -> UploadID? {
        if let stale = uploads.min(by: { ($0.value.moved, $0.key) < ($1.value.moved, $1.key) }),
            now - stale.value.moved >= idle
        {
            return stale.key
        }
        let new = measure == .count ? 1 : bytes
        var shares: [Place: Int] = [owner.place: new]
        for upload in uploads.values { shares[upload.owner.place, default: 0] += upload.size(measure) }
        guard let longest = shares.max(by: { $0.value < $1.value })?.value else { return nil }
        // Its own address has the most: the accounts of it share its part.
        let place = shares[owner.place] == longest ? owner.place : shares.first { $0.value == longest }?.key
        let there = uploads.filter { $0.value.owner.place == place }
        var accounts: [AccountID: Int] = place == owner.place ? [owner.account: new] : [:]
        for upload in there.values { accounts[upload.owner.account, default: 0] += upload.size(measure) }
        guard let most = accounts.max(by: { $0.value < $1.value }) else { return nil }
        let isFewer =
            place == owner.place ? most.value > accounts[owner.account] ?? 0 : longest > shares[owner.place] ?? 0
        guard isFewer else { return nil }
        return there.filter { $0.value.owner.account == most.key }
            .min { ($0.value.moved, $0.key) < ($1.value.moved, $1.key) }?.key
    }
}
