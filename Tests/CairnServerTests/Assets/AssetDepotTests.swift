import CairnAssets
import CairnConfiguration
import CairnCore
import CairnCredentials
import CairnCrypto
import CairnFeatures
import CairnStore
import CairnTesting
import CairnWire
import Foundation
import Logging
import Synchronization
import Testing

@testable import CairnServer

/// Uploads and what becomes of them, on a real store and real files (OBJ-12).
@Suite(.timeLimit(.minutes(10))) struct AssetDepotTests {
    private static let ada = AccountID(rawValue: 1 << 40)
    private static let bob = AccountID(rawValue: 2 << 40)

    /// A depot with two accounts, and a clock that moves when the test says so.
    private final class Bench: Sendable {
        let store: TemporaryStore
        let depot: AssetDepot
        private let hand = Hand()

        private final class Hand: Sendable {
            let milliseconds = Mutex<Int64>(0)
        }

        init() async throws {
            store = try await TemporaryStore.open(migrations: WorldSchema.migrations(of: Features.register))
            let clock = ServerClock(
                ServerClock.Clocks(
                    wall: { [hand] in 1_800_000_000_000 + hand.milliseconds.withLock { $0 } },
                    monotonic: { [hand] in hand.milliseconds.withLock { $0 } }))
            depot = AssetDepot(
                path: store.folder.path + "/assets", store: store.store, identifiers: IdentifierIssuer(), clock: clock,
                logger: Logger(label: "assets") { _ in SwiftLogNoOpLogHandler() })
            for (account, name) in [(ada, "ada"), (bob, "bob")] {
                try await store.commit([
                    AccountRecord(id: account, name: name, foldedName: name, now: clock.now).insertion
                ])
            }
        }

        func advance(_ duration: Duration) { hand.milliseconds.withLock { $0 += duration.milliseconds } }

        func begin(
            _ content: [UInt8], of account: AccountID = ada, at address: UInt64 = 1,
            within limits: Configuration.Assets = .init()
        ) async throws -> AssetDepot.Progress {
            let digest = try #require(ContentDigest(Array(SHA256.hash(data: content))))
            return try await depot.begin(
                digest, length: content.count,
                of: OpenUploads.Owner(account: account, address: LimitKey(address)), chunkBytes: 100, within: limits)
        }

        /// Sends the chunk that is next, or so many; gives the state after the last.
        func send(
            _ content: [UInt8], after progress: AssetDepot.Progress, chunks: Int = .max, of account: AccountID = ada,
            at address: UInt64 = 1
        ) async throws -> AssetDepot.Progress {
            var (progress, left) = (progress, chunks)
            while case .receiving(let upload, let received) = progress, left > 0 {
                left -= 1
                progress = try await depot.append(
                    Array(content[received..<min(received + 100, content.count)]), from: UInt64(received),
                    to: upload.id, of: OpenUploads.Owner(account: account, address: LimitKey(address)),
                    within: Configuration.Assets())
            }
            return progress
        }

        func upload(_ content: [UInt8], of account: AccountID = ada) async throws -> AssetRecord {
            try #require(try await send(content, after: begin(content, of: account), of: account).asset)
        }

        var files: Int { depot.folder.names().count }
    }

    /// A JPEG that differs from others behind its end, which is dropped.
    private static func picture(_ number: Int) throws -> [UInt8] {
        let path = URL(filePath: #filePath).appending(path: "../../../EndToEndTests/worlds/quarters.jpg")
        return Array(try Data(contentsOf: path.standardizedFileURL)) + Array("\(number)".utf8)
    }

    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    // MARK: Uploads

    @Test func asset_isStoredOnce_howeverOftenItIsBegun() async throws {
        let bench = try await Bench()
        let picture = try Self.picture(1)
        let asset = try await bench.upload(picture)
        #expect(asset.type == .jpeg && asset.length == picture.count - 1)
        #expect(try await bench.begin(picture).asset?.id == asset.id)
        #expect(try await bench.upload(picture, of: Self.bob).id != asset.id)
        #expect(bench.files == 2 && bench.depot.figures.files == 2 && bench.depot.figures.uploads == 0)
    }

    @Test func devicesThatSendTheSameAtOnce_makeOneAsset() async throws {
        let bench = try await Bench()
        let picture = try Self.picture(1)
        let assets = await withTaskGroup(of: AssetID?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        if let asset = try? await bench.send(picture, after: bench.begin(picture)).asset {
                            return asset.id
                        }
                    }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(assets).count == 1 && assets.first != .some(nil))
        #expect(bench.files == 1 && bench.depot.folder.uploadNames().isEmpty)
    }

    @Test func otherPeoplesUploads_areNotThere() async throws {
        let bench = try await Bench()
        let picture = try Self.picture(1)
        let begun = try await bench.begin(picture)
        let refusal = await refusal { _ = try await bench.send(picture, after: begun, of: Self.bob) }
        #expect(refusal?.code == .notFound)
        #expect(try await bench.begin(picture).received == 0)
    }

    @Test func uploadsBegunAtOnce_keepTheBound() async throws {
        let bench = try await Bench()
        var limits = Configuration.Assets()
        limits.uploadsPerAccountMax = 4
        let bounded = limits
        let begun = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    for _ in 0..<100 {
                        do {
                            _ = try await bench.begin(Self.picture(number), within: bounded)
                            return true
                        } catch let refusal as Refusal where refusal.code == .tryAgain {
                            await Task.yield()
                        } catch {
                            return false
                        }
                    }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun <= 4 && begun > 0)
        let rows = try await bench.store.read(UploadRecord.all)[0].count
        #expect(rows == begun)
    }

    @Test func bytesOfAnAccount_areBounded() async throws {
        let bench = try await Bench()
        var limits = Configuration.Assets()
        limits.megabytesPerAccountMax = 1
        let large = [UInt8](repeating: 1, count: 700_000)
        _ = try await bench.begin(large, within: limits)
        let refusal = await refusal { _ = try await bench.begin(large + [1], within: limits) }
        #expect(refusal?.code == .limitReached && refusal?.details["unit"] == "bytes")
        limits.uploadMegabytesMax = 1
        let ofAll = await self.refusal { _ = try await bench.begin(large, of: Self.bob, within: limits) }
        #expect(ofAll?.code == .limitReached && ofAll?.retryAfter != nil)
    }

    /// Also one of which nothing has arrived.
    @Test(arguments: [0, 2]) func idleUpload_makesRoom(_ chunks: Int) async throws {
        let bench = try await Bench()
        var limits = Configuration.Assets()
        limits.uploadsPerAccountMax = 1
        let first = try Self.picture(1)
        _ = try await bench.send(first, after: bench.begin(first), chunks: chunks)
        bench.advance(.seconds(limits.idleSeconds - 1))
        let refusal = await refusal { _ = try await bench.begin(Self.picture(2), within: limits) }
        #expect(refusal?.code == .limitReached)
        bench.advance(.seconds(1))
        _ = try await bench.begin(Self.picture(2), within: limits)
        #expect(bench.depot.folder.uploadNames().isEmpty && bench.depot.figures.uploads == 1)
    }

    /// Its client waits for the server, and does nothing else meanwhile.
    @Test func uploadWhoseAnswerIsWithheld_isIdleFromTheAnswerOn() {
        var open = OpenUploads()
        let (id, begun) = (UploadID(rawValue: 1), LastingTime.epoch)
        open.begin(id, by: OpenUploads.Owner(account: Self.ada, address: nil), bytes: 100, at: begun)
        open.move(id, at: begun + .seconds(300))
        func idle(after seconds: Int) -> UploadID? {
            open.idle(of: Self.ada, for: .seconds(60), at: begun + .seconds(seconds))
        }
        #expect(idle(after: 0) == nil && idle(after: 359) == nil && idle(after: 360) == id)
        let bob = OpenUploads.Owner(account: Self.bob, address: LimitKey(2))
        open.begin(UploadID(rawValue: 2), by: bob, bytes: 100, at: begun)
        let room = open.makingRoom(
            for: bob, bytes: 100, by: .count, idle: .seconds(60), at: begun + .seconds(100))
        #expect(room == UploadID(rawValue: 2))
    }

    @Test func uploadsThatNeverMove_keepNobodyOut() async throws {
        let bench = try await Bench()
        var limits = Configuration.Assets()
        limits.uploadsMax = 3
        for number in 1...3 { _ = try await bench.begin(Self.picture(number), at: 1, within: limits) }
        let mallory = await refusal { _ = try await bench.begin(Self.picture(4), at: 1, within: limits) }
        #expect(mallory?.code == .limitReached)
        // Another address has fewer.
        let second = try Self.picture(5)
        let begun = try await bench.begin(second, of: Self.bob, at: 2, within: limits)
        #expect(bench.depot.figures.uploads == 3 && bench.depot.figures.gaveWay == 1)
        #expect(try await bench.send(second, after: begun, of: Self.bob).asset != nil)
        _ = try await bench.begin(Self.picture(4), at: 1, within: limits)
        bench.advance(.seconds(limits.idleSeconds))
        _ = try await bench.begin(Self.picture(6), at: 1, within: limits)
        #expect(bench.depot.figures.uploads == 3 && bench.depot.figures.gaveWay == 2)
    }

    @Test func announcedBytes_keepNobodyOut() async throws {
        let bench = try await Bench()
        var limits = Configuration.Assets()
        limits.uploadMegabytesMax = 1
        for number in 1...3 {
            let large = [UInt8](repeating: UInt8(number), count: 340_000)
            _ = try await bench.begin(large, at: 1, within: limits)
        }
        _ = try await bench.begin(
            [UInt8](repeating: 9, count: 400_000), of: Self.bob, at: 2, within: limits)
        #expect(bench.depot.figures.uploads == 2 && bench.depot.figures.gaveWay == 2)
    }

    /// Ten of an account: then none begins, and a whole one that was begun before stays as it is.
    @Test func failedUploads_areBounded() async throws {
        let bench = try await Bench()
        let kept = try await bench.upload(Self.picture(1))
        let begun = try await bench.send(Self.picture(2), after: bench.begin(Self.picture(2)), chunks: 1)
        for number in 0..<AssetDepot.failuresPerHour {
            let wrong = Array("no picture, \(number)".utf8)
            let refusal = await refusal { _ = try await bench.send(wrong, after: bench.begin(wrong)) }
            #expect(refusal?.code == .invalidField)
        }
        var refusal = await refusal { _ = try await bench.begin(Self.picture(3)) }
        #expect(refusal?.code == .tooManyAttempts && (refusal?.retryAfter ?? .zero) > .seconds(3_000))
        refusal = await self.refusal { _ = try await bench.send(Self.picture(2), after: begun) }
        #expect(refusal?.code == .tooManyAttempts)
        #expect(try await bench.begin(Self.picture(1)).asset?.id == kept.id)
        #expect(bench.depot.figures.failed == 10 && bench.depot.figures.uploads == 1)
        #expect(bench.depot.figures.examining == 0)
        // Others at the address go on.
        #expect(try await bench.upload(Self.picture(3), of: Self.bob).type == .jpeg)
    }

    @Test func wholeUploads_countOnlyWhenTheyFail() async throws {
        let bench = try await Bench()
        for number in 0..<2 * AssetDepot.failuresPerHour { _ = try await bench.upload(Self.picture(number)) }
        #expect(bench.depot.figures.failed == 0 && bench.files == 20)
    }

    @Test func piecesThatAPowerLossDamaged_areSentAgain() async throws {
        let bench = try await Bench()
        let picture = try Self.picture(1)
        let half = try await bench.send(picture, after: bench.begin(picture), chunks: 5)
        let path = bench.depot.folder.path + "/uploads/\(try #require(half.upload?.name))"
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        for place in 116 * 2..<116 * 3 { bytes[place] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        // The damage shows when all has arrived; what is behind it is wanted again.
        var progress = try await bench.send(picture, after: half, chunks: 2)
        #expect(progress.received == 200)
        progress = try await bench.send(picture, after: progress)
        #expect(progress.asset != nil)
    }

    @Test func chunks_fitIntoTheLongestMessage() {
        #expect(AssetDepot.chunkBytes(messageBytesMax: 65_536) == 32_768)
        #expect(AssetDepot.chunkBytes(messageBytesMax: 16 << 20) == 32_768)
        let small = AssetDepot.chunkBytes(messageBytesMax: 1_024)
        #expect(small > 256 && small * 4 / 3 + 200 < 1_024)
    }

    // MARK: Uses and the collector

    @Test func asset_isCollected_onlyWhenNothingHasUsedItForAWhile() async throws {
        let bench = try await Bench()
        let (used, unused) = (try await bench.upload(Self.picture(1)), try await bench.upload(Self.picture(2)))
        let use = AssetUse.profile(of: Self.ada)
        try await bench.store.commit(use.replacement(by: used.id, of: Self.ada))
        let limits = Configuration.Assets()
        await bench.depot.collect(limits)
        #expect(bench.files == 2)
        bench.advance(.seconds(3_601))
        await bench.depot.collect(limits)
        // The row is gone, the file waits for backups that have read the row.
        #expect(try await bench.store.read(AssetRecord.query(unused.id))[0].isEmpty && bench.files == 2)
        bench.advance(.seconds(3_601))
        await bench.depot.collect(limits)
        #expect(bench.files == 1 && bench.depot.folder.names() == [used.name])
        #expect(bench.depot.figures.collectedAssets == 1 && bench.depot.figures.collectedFiles == 1)
        try await bench.store.commit(use.replacement(by: nil, of: Self.ada))
        for _ in 0..<2 {
            await bench.depot.collect(limits)
            bench.advance(.seconds(3_601))
        }
        await bench.depot.collect(limits)
        #expect(bench.files == 0)
    }

    @Test func useAndCollection_neverBothSucceed() async throws {
        let bench = try await Bench()
        let asset = try await bench.upload(Self.picture(1))
        let use = AssetUse.profile(of: Self.ada).replacement(by: asset.id, of: Self.ada)
        try await bench.store.commit(use)
        try await bench.store.commit([AssetRecord.deletionIfUnused(asset.id)])
        #expect(try await !bench.store.read(AssetRecord.query(asset.id))[0].isEmpty)
        try await bench.store.commit(AssetUse.profile(of: Self.ada).replacement(by: nil, of: Self.ada))
        try await bench.store.commit([AssetRecord.deletionIfUnused(asset.id)])
        await #expect(throws: StoreError.self) { try await bench.store.commit(use) }
    }

    @Test func assetOfAnother_isNotTakenIntoUse() async throws {
        let bench = try await Bench()
        let asset = try await bench.upload(Self.picture(1))
        await #expect(throws: StoreError.self) {
            try await bench.store.commit(
                AssetUse.profile(of: Self.bob).replacement(by: asset.id, of: Self.bob))
        }
    }

    @Test func orphans_waitBeforeTheyGo() async throws {
        let bench = try await Bench()
        let asset = try await bench.upload(Self.picture(1))
        try await bench.store.commit([AssetRecord.deletionIfUnused(asset.id)])
        var limits = Configuration.Assets()
        limits.unusedMinutes = 10
        await bench.depot.collect(limits)
        bench.advance(.seconds(599))
        await bench.depot.collect(limits)
        #expect(bench.files == 1)
        bench.advance(.seconds(1))
        await bench.depot.collect(limits)
        #expect(bench.files == 0)
    }
}

extension AssetDepot.Progress {
    fileprivate var asset: AssetRecord? { if case .complete(let asset) = self { asset } else { nil } }
    fileprivate var received: Int? { if case .receiving(_, let received) = self { received } else { nil } }
    fileprivate var upload: UploadRecord? { if case .receiving(let upload, _) = self { upload } else { nil } }
}
