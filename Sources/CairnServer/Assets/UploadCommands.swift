internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnWire

/// Begins or continues an upload (OBJ-12).
struct BeginUpload: EntranceCommand {
    static let sender = EntranceSender.inWorld
    static let lane = EntranceLane.bulk

    private let digest: ContentDigest
    private let length: UInt64

    init(_ body: WireBeginUpload) throws(Refusal) {
        guard let digest = ContentDigest(Array(body.sha256)) else {
            throw AssetDepot.wrong("sha256", "\(ContentDigest.byteCount) bytes")
        }
        self.digest = digest
        length = body.length
        guard length > 0 else { throw AssetDepot.wrong("length", "at least 1 byte") }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let limit = signIn.assets.bytesMax
        guard length <= UInt64(limit) else {
            throw Refusal(
                .tooLarge, "an asset has at most \(limit) bytes", component: AssetDepot.component,
                details: ["limit": "\(limit)", "unit": "bytes"])
        }
        let progress = try await signIn.services.depot.begin(
            digest, length: Int(length),
            of: OpenUploads.Owner(account: user.account, address: applicant.addressKey),
            chunkBytes: signIn.chunkBytes, within: signIn.assets)
        return .answered(.uploadState(progress.wire(signIn.identifiers)))
    }
}

/// Sends the next bytes of an upload (OBJ-12).
struct UploadChunk: EntranceCommand {
    static let sender = EntranceSender.inWorld
    static let lane = EntranceLane.bulk

    private let upload: String
    private let offset: UInt64
    private let data: [UInt8]

    init(_ body: WireUploadChunk) {
        (upload, offset, data) = (body.upload, body.offset, Array(body.data))
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let id = signIn.identifiers.identifier(named: upload, UploadTag.self) else {
            throw Refusal(.notFound, "there is no such upload", component: AssetDepot.component)
        }
        let progress = try await signIn.services.depot.append(
            data, from: offset, to: id,
            of: OpenUploads.Owner(account: user.account, address: applicant.addressKey), within: signIn.assets)
        return .answered(.uploadState(progress.wire(signIn.identifiers)))
    }
}

extension AssetDepot.Progress {
    fileprivate func wire(_ identifiers: IdentifierIssuer) -> WireUploadState {
        var state = WireUploadState()
        switch self {
        case .receiving(let upload, let received):
            state.upload = identifiers.name(of: upload.id)
            state.offset = UInt64(received)
            state.chunkBytes = UInt32(upload.chunkBytes)
        case .complete(let asset):
            state.asset = identifiers.name(of: asset.id)
            state.contentType = asset.type.contentType
        }
        return state
    }
}
