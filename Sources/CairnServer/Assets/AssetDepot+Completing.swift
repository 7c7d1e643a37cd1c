internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnCrypto
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Synchronization

/// The end of an upload: its content is examined, and becomes an asset or is given up (OBJ-12).
extension AssetDepot {
    /// Uploads of an account that are whole and no sound asset, in any hour; of an address ten times as many. A person
    /// chooses a wrong file a few times. What such a content has cost counts in no other quota.
    static let failuresPerHour = 10

    /// What has become of a whole upload.
    private enum Examined: Sendable {
        /// Its file is on disk, and is among `publishing`.
        case asset(AssetRecord)
        case refused(AssetFault)
        /// Pieces that a power loss has damaged are sent again.
        case cut(received: Int)
    }

    /// How much of an upload has arrived, or what it becomes if that is all.
    func progress(
        of upload: UploadRecord, by owner: OpenUploads.Owner, within limits: Configuration.Assets
    ) async throws -> Progress {
        let file = try upload.open(in: folder)
        let received = try file.received()
        guard received == upload.length else { return .receiving(upload, received: received) }
        guard !completing.contains(upload.id) else { throw Self.busy }
        let attempt = try admit(owner)
        completing.insert(upload.id)
        // It makes room for nobody meanwhile.
        open?.end(upload.id)
        sharedFigures.withLock { $0.examining += 1 }
        defer {
            completing.remove(upload.id)
            sharedFigures.withLock { $0.examining -= 1 }
            if !ended.contains(upload.id) {
                open?.begin(upload.id, by: owner, bytes: upload.length, at: clock.lasting)
            }
        }
        let found: Examined
        do {
            found = try await examine(upload, file, within: limits)
        } catch {
            // The disk, and not the content.
            failures.abandoned(attempt)
            throw error
        }
        switch found {
        case .asset(let asset):
            failures.succeeded(attempt)
            return try await keep(asset, of: upload)
        case .refused(let fault):
            failures.failed(attempt)
            sharedFigures.withLock { $0.failed += 1 }
            _ = try await giveUp(upload)
            throw fault.refusal(within: limits)
        case .cut(let received):
            failures.abandoned(attempt)
            return .receiving(upload, received: received)
        }
    }

    /// Admits the examination of a whole upload. An admitted one counts until it succeeds.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admit(_ owner: OpenUploads.Owner) throws(Refusal) -> SignInLimiter.Attempt {
        let account = LimitKey(owner.account.rawValue)
        switch failures.admit(account: account, address: owner.address ?? account, familiar: nil, now: .now) {
        case .admitted(let attempt): return attempt
        case .refused(let wait):
            throw Refusal(
                .tooManyAttempts, "too many uploads from this account or address were no sound files",
                component: Self.component, retryAfter: wait)
        }
    }

    private nonisolated func examine(
        _ upload: UploadRecord, _ file: PartialFile, within limits: Configuration.Assets
    ) async throws -> Examined {
        try await withTaskExecutorPreference(examination) { try examined(upload, file, within: limits) }
    }

    /// Reads, examines and writes without a pause, so that no second content is in memory. Blocks.
    private nonisolated func examined(
        _ upload: UploadRecord, _ file: PartialFile, within limits: Configuration.Assets
    ) throws(AssetFileError) -> Examined {
        guard let content = try file.content() else { return .cut(received: try file.received()) }
        guard Array(SHA256.hash(data: content)) == upload.digest.bytes else {
            return .refused(.damaged("its bytes are not those of the digest"))
        }
        let clean: CleanAsset
        do throws(AssetFault) {
            clean = try CleanAsset(content, within: AssetBounds(pixelsMax: limits.pixelsMax))
        } catch {
            return .refused(error)
        }
        let asset = AssetRecord(
            id: identifiers.next(AssetTag.self, at: clock.now), account: upload.account, digest: upload.digest,
            type: clean.type, length: clean.bytes.count, now: clock.lasting)
        publishing.withLock { _ = $0.insert(asset.name) }
        do throws(AssetFileError) {
            try asset.write(clean.bytes, to: folder)
        } catch {
            withdraw(asset)
            throw error
        }
        return .asset(asset)
    }

    /// Stores the row of an asset whose file is on disk.
    private func keep(_ asset: AssetRecord, of upload: UploadRecord) async throws -> Progress {
        do {
            guard try await isCommitted([upload.deletion, asset.insertion]) else { throw Self.noUpload }
        } catch {
            withdraw(asset)
            throw error
        }
        publishing.withLock { _ = $0.remove(asset.name) }
        ended.insert(upload.id)
        folder.removeUpload(upload.name)
        sharedFigures.withLock { figures in
            figures.uploads -= 1
            figures.files += 1
            figures.bytes += asset.length
        }
        return .complete(asset)
    }

    private nonisolated func withdraw(_ asset: AssetRecord) {
        folder.remove(asset.name)
        publishing.withLock { _ = $0.remove(asset.name) }
    }

    /// Ends an upload without an asset.
    /// - Returns: false when it was over already.
    func giveUp(_ upload: UploadRecord) async throws -> Bool {
        guard try await isCommitted([upload.deletion]) else { return false }
        ended.insert(upload.id)
        open?.end(upload.id)
        folder.removeUpload(upload.name)
        sharedFigures.withLock { $0.uploads -= 1 }
        return true
    }
}

extension AssetFault {
    func refusal(within limits: Configuration.Assets) -> Refusal {
        switch self {
        case .unknownType:
            let types = AssetType.all.map(\.contentType).joined(separator: ", ")
            return Refusal(
                .invalidField, "type: the bytes are none of \(types)", component: AssetDepot.component,
                details: ["field": "type"])
        case .damaged(let cause):
            return Refusal(.assetCorrupt, Refusal.Text(english: cause), component: AssetDepot.component)
        case .tooManyPixels(let width, let height):
            return Refusal(
                .tooLarge, "the picture has \(width) x \(height) pixels", component: AssetDepot.component,
                details: ["limit": "\(limits.pixelsMax)", "unit": "pixels"])
        }
    }
}
