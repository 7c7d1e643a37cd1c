internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire
internal import Foundation
internal import Logging
internal import Synchronization

/// The assets of a world: takes uploads, keeps the files, and collects what nothing uses (OBJ-12).
///
/// All of it runs on lanes of its own, threads of low priority, because it reads and writes files: neither a loop nor
/// the cooperative pool waits for it. Whole contents are examined on a second lane, so that chunks do not wait for
/// pictures. The order of every change is file before row: a row never names a file that is not on disk, and a file
/// without a row is collected.
package actor AssetDepot {
    nonisolated let lane = BulkLane(name: "cairn-assets", isBackground: true)
    /// Examines one content after the other, so one of them is in memory; also tours that are imported.
    nonisolated let examination = BulkLane(name: "cairn-examines", isBackground: true)
    nonisolated let folder: AssetFolder
    let store: Store
    let identifiers: IdentifierIssuer
    let clock: ServerClock
    let logger: Logger
    nonisolated let sharedFigures = Mutex(AssetFigures())
    /// Uploads that are being completed. Their other requests are refused meanwhile.
    var completing: Set<UploadID> = []
    /// Uploads that were whole and no sound asset, by account and by address.
    nonisolated let failures = SignInLimiter(
        .init(
            failuresMax: AssetDepot.failuresPerHour, addressFailuresMax: 10 * AssetDepot.failuresPerHour,
            window: .seconds(3_600)))
    /// Uploads that have ended. Code that read the row of one before would make its file again.
    var ended = EndedUploads()
    private var pace = UploadPace()
    /// Whose uploads are under way; nil until the rows were read.
    var open: OpenUploads?
    /// Accounts for which an upload is being begun.
    private var beginning: Set<AccountID> = []
    /// Files whose rows are about to be stored. They are not collected. None is added while the lock is held.
    nonisolated let publishing = Mutex<Set<AssetFileName>>([])
    /// Files that no row names, and since when that is known.
    var orphans: [Orphan: LastingTime] = [:]

    /// A file that no row names.
    struct Orphan: Hashable, Sendable {
        let name: AssetFileName
        let isUpload: Bool
    }

    /// Bytes of a chunk, where messages may be so long: in base64, inside a message of JSON, it fits the default of
    /// `connections.messageBytesMax` with room to spare.
    private static let chunkBytesMax = 32_768
    /// The bytes of a message beside its chunk.
    private static let envelopeBytes = 256
    /// Uploads that make room for one.
    private static let makingRoomMax = 64

    static let component = "assets"

    init(path: String, store: Store, identifiers: IdentifierIssuer, clock: ServerClock, logger: Logger) {
        folder = AssetFolder(path: path)
        self.store = store
        self.identifiers = identifiers
        self.clock = clock
        self.logger = logger
    }

    package nonisolated var figures: AssetFigures { sharedFigures.withLock { $0 } }

    /// The state of an upload.
    enum Progress: Sendable {
        case receiving(UploadRecord, received: Int)
        case complete(AssetRecord)
    }

    /// Bytes of a chunk under these settings.
    static func chunkBytes(messageBytesMax: Int) -> Int {
        min(chunkBytesMax, max((messageBytesMax - envelopeBytes) / 4 * 3, 1))
    }

    // MARK: Uploads

    /// Begins an upload, or finds it, or the asset that it has become.
    nonisolated func begin(
        _ digest: ContentDigest, length: Int, of owner: OpenUploads.Owner, chunkBytes: Int,
        within limits: Configuration.Assets
    ) async throws -> Progress {
        try await withTaskExecutorPreference(lane) {
            try await counted {
                try await start(digest, length: length, of: owner, chunkBytes: chunkBytes, within: limits)
            }
        }
    }

    /// Adds a chunk; the last one makes the asset. The answer, which asks for the next chunk, comes at the pace of all
    /// uploads.
    nonisolated func append(
        _ bytes: [UInt8], from offset: UInt64, to id: UploadID, of owner: OpenUploads.Owner,
        within limits: Configuration.Assets
    ) async throws -> Progress {
        try await withTaskExecutorPreference(lane) {
            try await counted {
                let (progress, isNew) = try await take(bytes, from: offset, to: id, of: owner, within: limits)
                if case .receiving = progress {
                    try? await Task.sleep(until: paid(for: bytes.count, of: isNew ? id : nil, limits))
                }
                return progress
            }
        }
    }

    /// When the answer to a chunk is due. Until then its client waits for the server, and the upload is not idle.
    /// - Parameter id: the upload; nil = it has not moved.
    private func paid(
        for bytes: Int, of id: UploadID?, _ limits: Configuration.Assets
    ) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        let due = pace.pay(bytes, bytesPerSecond: limits.uploadMegabytesPerSecond << 20, at: now)
        if let id, due > now { open?.move(id, at: clock.lasting + (due - now)) }
        return due
    }

    private func start(
        _ digest: ContentDigest, length: Int, of owner: OpenUploads.Owner, chunkBytes: Int,
        within limits: Configuration.Assets
    ) async throws -> Progress {
        let account = owner.account
        try await readOpen()
        // Another device of the person; the bounds are looked at one after the other.
        guard beginning.insert(account).inserted else { throw Self.busy }
        defer { beginning.remove(account) }
        var refusal: Refusal?
        for _ in 0..<Self.makingRoomMax {
            let answers = try await store.read([
                AssetRecord.query(digest, of: account), UploadRecord.query(digest, of: account),
                UploadRecord.usage(of: account),
            ])
            if let row = answers[0].first { return .complete(try AssetRecord(row)) }
            if let row = answers[1].first {
                let upload = try UploadRecord(row)
                guard !ended.contains(upload.id) else { continue }
                guard upload.length == length else {
                    throw Self.wrong("length", "the upload of these bytes was begun with another length")
                }
                // `messageBytesMax` is lower than when it was begun: no message has room for its chunks.
                guard upload.chunkBytes <= chunkBytes else {
                    _ = try await giveUp(upload)
                    continue
                }
                return try await progress(of: upload, by: owner, within: limits)
            }
            if let reached = try limits.bound(by: answers[2], plus: length) {
                guard try await makeRoom(for: owner, bytes: length, reached.bound, within: limits) else {
                    throw reached.refusal
                }
                refusal = reached.refusal
                continue
            }
            // Whose uploads fail one after the other is told before they send another.
            failures.abandoned(try admit(owner))
            let upload = UploadRecord(
                id: identifiers.next(UploadTag.self, at: clock.now), account: account, digest: digest, length: length,
                chunkBytes: chunkBytes, now: clock.lasting)
            guard try await isCommitted([upload.insertion(within: limits)]) else { continue }
            sharedFigures.withLock { $0.uploads += 1 }
            open?.begin(upload.id, by: owner, bytes: length, at: clock.lasting)
            return .receiving(upload, received: 0)
        }
        if let refusal { throw refusal }
        throw SignIn.overtaken
    }

    /// Reads the uploads of the process before. Whatever of them is over when it is to make room is passed over.
    private func readOpen() async throws {
        guard open == nil else { return }
        var (found, damage) = (OpenUploads(), [DamagedRow]())
        for row in try await store.read([UploadRecord.all])[0] {
            do throws(DamagedRow) {
                let upload = try UploadRecord(row)
                let idle = folder.idleSeconds(ofUpload: upload.name).map { Duration.seconds($0) }
                found.begin(
                    upload.id, by: OpenUploads.Owner(account: upload.account, address: nil), bytes: upload.length,
                    at: idle.map { clock.lasting - $0 } ?? upload.made)
            } catch {
                damage.append(error)
            }
        }
        store.report(damage)
        // Another task may have read them meanwhile, and have begun some.
        if open == nil { open = found }
    }

    /// Gives an upload up for a new one (`OpenUploads`).
    private func makeRoom(
        for owner: OpenUploads.Owner, bytes: Int, _ bound: UploadBound, within limits: Configuration.Assets
    ) async throws -> Bool {
        let (idle, now) = (Duration.seconds(limits.idleSeconds), clock.lasting)
        switch bound {
        case .assets: return false
        case .ownUploads:
            guard let id = open?.idle(of: owner.account, for: idle, at: now) else { return false }
            return try await giveUp(id)
        case .all(let measure):
            guard let id = open?.makingRoom(for: owner, bytes: bytes, by: measure, idle: idle, at: now) else {
                return false
            }
            return try await giveUp(id)
        }
    }

    /// - Returns: true = there is room of one upload more than before, or one is no longer counted that was over.
    private func giveUp(_ id: UploadID) async throws -> Bool {
        defer { open?.end(id) }
        guard !completing.contains(id), let row = try await store.read([UploadRecord.query(id)])[0].first else {
            return true
        }
        guard try await giveUp(try UploadRecord(row)) else { return true }
        sharedFigures.withLock { $0.gaveWay += 1 }
        return true
    }

    private func take(
        _ bytes: [UInt8], from offset: UInt64, to id: UploadID, of owner: OpenUploads.Owner,
        within limits: Configuration.Assets
    ) async throws -> (progress: Progress, isNew: Bool) {
        guard let row = try await store.read([UploadRecord.query(id)])[0].first else { throw Self.noUpload }
        let upload = try UploadRecord(row)
        guard upload.account == owner.account, !ended.contains(id) else { throw Self.noUpload }
        guard !completing.contains(id) else { throw Self.busy }
        let file = try upload.open(in: folder)
        let received = try file.received()
        // A chunk that came before, or one behind what is missing: the answer says where to go on.
        guard offset == UInt64(received), received < upload.length else {
            return (try await progress(of: upload, by: owner, within: limits), false)
        }
        let wanted = min(upload.chunkBytes, upload.length - received)
        guard bytes.count == wanted else { throw Self.wrong("data", "the next chunk has \(wanted) bytes") }
        try file.append(bytes)
        sharedFigures.withLock { $0.receivedBytes += UInt64(wanted) }
        open?.move(id, at: clock.lasting)
        return (try await progress(of: upload, by: owner, within: limits), true)
    }

    /// - Returns: false when another change was faster.
    func isCommitted(_ statements: [Statement]) async throws -> Bool {
        do {
            try await store.commit(statements)
            return true
        } catch  where error.kind == .overtaken {
            return false
        }
    }

    // MARK: Refusals

    static let noUpload = Refusal(.notFound, "there is no such upload; begin it again", component: component)
    static let busy = Refusal(
        .tryAgain, "another request about this upload is under way", component: component,
        retryAfter: .milliseconds(100))

    static func wrong(_ field: String, _ text: Refusal.Text) -> Refusal {
        Refusal(.invalidField, "\(field): \(text)", component: component, details: ["field": field])
    }

    /// Counts refusals by code, and makes one of what the disk refuses.
    private nonisolated func counted(_ body: () async throws -> Progress) async throws -> Progress {
        do {
            return try await body()
        } catch let refusal as Refusal {
            sharedFigures.withLock { $0.refused[refusal.code.rawValue, default: 0] += 1 }
            throw refusal
        } catch let error as AssetFileError {
            sharedFigures.withLock { $0.refused[Refusal.Code.storageUnavailable.rawValue, default: 0] += 1 }
            logger.error("an asset cannot be kept", metadata: ["cause": "\(error)"])
            throw Refusal(
                .storageUnavailable, "the asset cannot be kept now", component: Self.component,
                retryAfter: .seconds(5))
        }
    }
}

/// A bound that one more upload would pass.
private enum UploadBound {
    /// What the account may have, with its complete assets.
    case assets
    case ownUploads
    case all(OpenUploads.Measure)
}

extension Configuration.Assets {
    /// The bound that one more upload would pass, and its refusal; nil = it fits.
    /// - Parameter rows: the answer to `UploadRecord.usage`.
    fileprivate func bound(
        by rows: [Row], plus length: Int
    ) throws -> (bound: UploadBound, refusal: Refusal)? {
        guard let row = rows.first else { return nil }
        func number(_ column: Int) throws -> Int { Int(try row.integer(column)) }
        func reached(_ limit: Int, _ unit: Refusal.Text) -> Refusal {
            Refusal(
                .limitReached, "more uploads or assets than \(limit) \(unit)", component: AssetDepot.component,
                details: ["limit": "\(limit)", "unit": "\(unit)"])
        }
        if try number(4) + number(2) >= perAccountMax { return (.assets, reached(perAccountMax, "assets")) }
        let bytesMax = self.megabytesPerAccountMax << 20
        if try number(5) + number(3) + length > bytesMax { return (.assets, reached(bytesMax, "bytes")) }
        if try number(2) >= uploadsPerAccountMax { return (.ownUploads, reached(uploadsPerAccountMax, "uploads")) }
        let crowd = Refusal(
            .limitReached, "many upload at the moment", component: AssetDepot.component, retryAfter: .seconds(30))
        if try number(0) >= uploadsMax { return (.all(.count), crowd) }
        if try number(1) + length > self.uploadMegabytesMax << 20 { return (.all(.bytes), crowd) }
        return nil
    }
}
