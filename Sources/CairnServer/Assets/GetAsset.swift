internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnWire

/// Gives an address from which an asset can be downloaded (OBJ-12).
struct GetAsset: EntranceCommand {
    static let sender = EntranceSender.onlooker

    private let asset: String
    private let account: String
    private let tour: String

    init(_ body: WireGetAsset) {
        (asset, account, tour) = (body.asset, body.account, body.tour)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        // Guests have nothing of their own, and see nothing of anybody: what tours show, and no more (SES-14).
        guard applicant.user != nil || !tour.isEmpty else {
            throw Refusal(.notSignedIn, component: AssetDepot.component)
        }
        let viewer = try applicant.user?.account ?? applicant.guest ?? applicant.requireUser().account
        guard let id: AssetID = signIn.identifiers.identifier(named: asset) else { throw SignIn.noAsset }
        let place: AssetPlace
        if !tour.isEmpty {
            guard let id: TourID = signIn.identifiers.identifier(named: tour) else { throw SignIn.noAsset }
            place = .tour(id)
        } else if account.isEmpty {
            place = .own
        } else {
            guard let owner: AccountID = signIn.identifiers.identifier(named: account) else { throw SignIn.noAsset }
            place = .profile(owner)
        }
        let absent = applicant.user?.absent ?? []
        guard let record = try await signIn.asset(id, at: place, for: viewer, without: absent) else {
            throw SignIn.noAsset
        }
        let seconds = Duration.seconds(signIn.assets.addressSeconds)
        let address = AssetAddress(
            asset: id, place: place, account: viewer,
            token: applicant.user.flatMap { $0.isOfApp ? nil : $0.token },
            expires: signIn.clock.lasting + seconds)
        var answer = WireAssetAddress()
        answer.path = "\(AssetAddress.prefix)\(try address.text(sealedBy: try signIn.addressKey))"
        answer.expires = (signIn.clock.now + seconds).milliseconds
        answer.contentType = record.type.contentType
        answer.length = UInt64(record.length)
        return .answered(.assetAddress(answer))
    }
}
