internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging
internal import Synchronization

/// Deletes what nothing uses: rows without a use, files without a row (OBJ-12, DAT-10).
///
/// A file is deleted only when no row has named it for `assets.unusedMinutes`, at each look in between. A backup reads
/// the rows first and links the files afterwards; the pause is longer than that takes.
extension AssetDepot {
    private static let rowsPerPage = 10_000
    private static let deletionsPerUnit = 100

    /// One look. A failure is logged, and the next look tries again.
    nonisolated func collect(_ limits: Configuration.Assets) async {
        await withTaskExecutorPreference(lane) {
            do {
                try await collectAll(.seconds(limits.unusedMinutes * 60))
            } catch {
                logger.error("assets cannot be collected", metadata: ["cause": "\(error)"])
            }
        }
    }

    private func collectAll(_ pause: Duration) async throws {
        try await removeUnusedRows(before: clock.lasting - clock.doubt - pause)
        // The folder first: what is written from here on is not in the list.
        let (files, uploads, published) = (folder.names(), folder.uploadNames(), publishing.withLock { $0 })
        let named = try await namesInRows()
        let uploading = Set(try await store.read([UploadRecord.fileNames])[0].map { try $0.blob(0) })
        let lonely =
            files.filter { !named.contains($0.bytes) && !published.contains($0) }
            .map { Orphan(name: $0, isUpload: false) }
            + uploads.filter { !uploading.contains($0.bytes) }.map { Orphan(name: $0, isUpload: true) }
        let now = clock.lasting
        orphans = Dictionary(uniqueKeysWithValues: lonely.map { ($0, orphans[$0] ?? now) })
        var removed = 0
        let beingPublished = publishing.withLock { $0 }
        for (orphan, since) in orphans where now - since >= pause && !beingPublished.contains(orphan.name) {
            if orphan.isUpload { folder.removeUpload(orphan.name) } else { folder.remove(orphan.name) }
            orphans[orphan] = nil
            removed += 1
        }
        // None is begun while the lock is held.
        removed += publishing.withLock { [folder] in $0.isEmpty ? folder.removeDrafts() : 0 }
        if removed > 0 { logger.notice("assets: deleted files that nothing names", metadata: ["count": "\(removed)"]) }
        let sums = try await store.read([AssetRecord.summary])[0][0]
        let (count, bytes, uploadCount) = (try sums.integer(0), try sums.integer(1), uploading.count)
        sharedFigures.withLock { figures in
            figures.collectedFiles += UInt64(removed)
            (figures.files, figures.bytes, figures.uploads) = (Int(count), Int(bytes), uploadCount)
        }
    }

    private func removeUnusedRows(before time: LastingTime) async throws {
        while true {
            let rows = try await store.read([AssetRecord.unused(before: time, countMax: Self.deletionsPerUnit)])[0]
            guard !rows.isEmpty else { return }
            try await store.commit(
                try rows.map { AssetRecord.deletionIfUnused(AssetID(rawValue: UInt64(bitPattern: try $0.integer(0)))) })
            sharedFigures.withLock { $0.collectedAssets += UInt64(rows.count) }
        }
    }

    private func namesInRows() async throws -> Set<[UInt8]> {
        var named: Set<[UInt8]> = []
        var last: [UInt8] = []
        while true {
            let page = try await store.read([AssetRecord.fileNames(after: last, countMax: Self.rowsPerPage)])[0]
            guard !page.isEmpty else { return named }
            for row in page {
                last = try row.blob(0)
                named.insert(last)
            }
        }
    }
}
