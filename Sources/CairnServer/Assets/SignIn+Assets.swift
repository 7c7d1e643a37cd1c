internal import CairnAssets
internal import CairnCore
internal import CairnCrypto
internal import CairnStore
package import CairnWebSocket
internal import CairnWire
internal import Logging

/// The right to see an asset (OBJ-12, PRF-5).
extension SignIn {
    static let noAsset = Refusal(
        .notFound, "there is no such asset, or none that you may see there", component: AssetDepot.component)

    var addressKey: SymmetricKey {
        get throws { SymmetricKey(data: try store.secret(for: AssetAddress.seal)) }
    }

    /// The asset, if the person may see it at the place; nil = there is none for them.
    /// - Parameter absent: as of `profile(of:seenBy:without:)`.
    func asset(
        _ id: AssetID, at place: AssetPlace, for viewer: AccountID, without absent: Set<AccountID> = []
    ) async throws -> AssetRecord? {
        switch place {
        case .own: break
        case .export: return nil
        case .tour(let tour):
            guard try await isSeen(id, in: tour, by: viewer) else { return nil }
        case .profile(let owner):
            do {
                guard try await profile(of: owner, seenBy: viewer, without: absent).profile.picture == id else {
                    return nil
                }
            } catch is Refusal {
                return nil
            }
        }
        guard let row = try await store.read([AssetRecord.query(id)])[0].first else { return nil }
        let record = try AssetRecord(row)
        return place == .own && record.account != viewer ? nil : record
    }

    /// What a request makes of an asset of its sender (`Effect.read`); no row = they have no such asset.
    func examine(
        _ id: AssetID, of account: AccountID, by reading: AssetReading
    ) async -> Result<[[Row]], Refusal> {
        await withTaskExecutorPreference(services.depot.examination) {
            do {
                guard let record = try await asset(id, at: .own, for: account) else { return .success([[]]) }
                guard record.length <= reading.bytesMax else {
                    throw Refusal(
                        .tooLarge, "more than \(reading.bytesMax) bytes", component: AssetDepot.component,
                        details: ["limit": "\(reading.bytesMax)", "unit": "bytes"])
                }
                let bytes = try record.open(in: services.depot.folder).content(byteCount: record.length)
                return .success([[Row([try reading.examine(bytes)])]])
            } catch let refusal as Refusal {
                return .failure(refusal)
            } catch let damage as DamagedRow {
                store.report([damage])
            } catch {
                logger.error("an asset cannot be read", metadata: ["cause": "\(error)"])
            }
            return .failure(
                Refusal(
                    .storageUnavailable, "the asset cannot be read now", component: AssetDepot.component,
                    retryAfter: .seconds(5)))
        }
    }

    /// The number of the account that was given an address; nil = the address was not made here. It takes microseconds,
    /// and says nothing of a right.
    package func account(of address: String) -> UInt64? {
        (try? addressKey).flatMap { AssetAddress(address, sealedBy: $0) }?.account.rawValue
    }

    /// The content at an address, for who was given it; nil = there is nothing for them. Asks for the right anew.
    ///
    /// Runs on the caller's executor, which may block: on the bulk lane.
    package func content(at address: String) async -> HTTPContent? {
        do {
            guard let address = AssetAddress(address, sealedBy: try addressKey), address.expires > clock.lasting,
                suspensions[address.account] == nil, try await isSignedIn(address)
            else { return nil }
            if address.place == .export { return export(of: address.account) }
            guard let asset = try await asset(address.asset, at: address.place, for: address.account)
            else { return nil }
            return try content(of: asset)
        } catch let damage as DamagedRow {
            store.report([damage])
        } catch {
            logger.error("an asset cannot be read", metadata: ["cause": "\(error)"])
        }
        return nil
    }

    private func content(of asset: AssetRecord) throws -> HTTPContent {
        let file = try asset.open(in: services.depot.folder)
        var content = HTTPContent(byteCount: asset.length, contentType: asset.type.contentType) { part in
            SealedFileBody(file, part: part)
        }
        content.tag = identifiers.name(of: asset.id)
        content.headers = [
            "Cache-Control: private, no-cache", "Content-Security-Policy: default-src 'none'; sandbox",
            "Content-Disposition: inline; filename=\"asset.\(asset.type.fileExtension)\"",
            "Referrer-Policy: no-referrer",
        ]
        return content
    }

    /// The picture of a published tour, for whoever has its link's code; nil = there is none (TRT-3).
    ///
    /// Runs on the bulk lane, as above.
    package func linkedPicture(code: String) async -> HTTPContent? {
        guard let tour = names.tours.index.tour(code: code), linkedTour(tour.id) != nil,
            let id: AssetID = identifiers.identifier(named: tour.picture)
        else { return nil }
        do {
            // What nobody in particular may see of the tour.
            let nobody = AccountID(rawValue: 0)
            guard let asset = try await asset(id, at: .tour(tour.id), for: nobody), asset.type.isPicture else {
                return nil
            }
            return try content(of: asset)
        } catch let damage as DamagedRow {
            store.report([damage])
        } catch {
            logger.error("an asset cannot be read", metadata: ["cause": "\(error)"])
        }
        return nil
    }

    /// Whether the sign-in that asked for the address stands.
    private func isSignedIn(_ address: AssetAddress) async throws -> Bool {
        // A guest has no sign-in. The address is good for as long as guests may look.
        guard !address.account.isGuest else { return guestsLook }
        let answers = try await store.read([
            AccountRecord.query(address.account),
            TokenRecord.query(of: address.account, countMax: Self.tokensLookedAtMax),
        ])
        guard let row = answers[0].first, try !AccountRecord(row).isClosed else { return false }
        guard let token = address.token else { return true }
        let account = try AccountRecord(row)
        // Tokens of before they had names cannot be told apart.
        return answers[1].contains { row in
            guard let known = try? TokenRecord(row) else { return false }
            return account.admits(known) && (known.label == nil || known.label?.name == token)
        }
    }

    /// Sign-ins of one account among which that of an address is looked for, the latest used first.
    private static let tokensLookedAtMax = 1_000
}

/// An asset, or a part of it, opened piece by piece while it goes out.
actor SealedFileBody: BodySource {
    nonisolated let byteCount: Int?
    private let file: SealedFile
    private var left: Range<Int>

    init(_ file: SealedFile, part: Range<Int>) {
        self.file = file
        left = part
        byteCount = part.count
    }

    func next() throws -> [UInt8]? {
        guard !left.isEmpty else { return nil }
        let bytes = try file.beginning(of: left)
        left = left.lowerBound + bytes.count..<left.upperBound
        return bytes
    }
}
