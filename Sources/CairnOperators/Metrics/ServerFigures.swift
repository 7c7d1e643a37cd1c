internal import CairnAdaptors
internal import CairnConfiguration
internal import CairnCore
internal import CairnServer
internal import CairnStore
internal import CairnWebSocket

/// The newest reports of all shards, of the store and of the process: the source of every metric of the whole server.
struct ServerFigures: Sendable {
    let at: WallTime
    let shards: [ShardReport]
    var store: StoreFigures
    var operators: OperatorFigures.State
    let process: ProcessFigures
    /// Requests and upgrades turned away before anything else, by reason.
    let doorRefusals: [String: UInt64]
    /// Of answers in pieces.
    var bulk: BulkLane.Figures
    /// By the adaptor's name.
    var adaptors: [String: AdaptorFigures]
    var mails: PostmanFigures
    var pushes: PostmanFigures
    var signIn: SignInFigures
    var assets: AssetFigures
    var deletions: DeletionFigures
    var payments: PaymentFigures
    var organisations: OrganisationFigures
    let clockSteps: UInt64
    let clockDoubt: Duration
    /// By the field number of their kind in the envelope.
    let kinds: [UInt32: String]
    let version: String
    /// Where the data is (CMP-7).
    let region: String

    init(_ context: ServerContext, _ access: OperatorAccess, shards: [ShardReport]) {
        at = context.clock.now
        self.shards = shards
        store = context.store.figures
        operators = access.figures.current
        process = access.process
        doorRefusals = context.doors.requests.refusals
        bulk = access.bulkLane.figures
        adaptors = context.adaptors.figures
        mails = context.postman.figures(.mail)
        pushes = context.postman.figures(.push)
        signIn = context.signIn.services.figures
        assets = context.signIn.services.depot.figures
        deletions = context.signIn.services.erasures.figures
        payments = context.signIn.services.purchases.figures
        organisations = context.organisations.figures
        clockSteps = context.clock.steps
        clockDoubt = context.clock.doubt
        kinds = context.register.kindNames
        version = access.version
        region = context.configuration.storage.region
    }

    /// Refreshes what can be read without a hop; the shards' reports are up to a second old.
    mutating func refresh(from context: ServerContext, _ access: OperatorAccess) {
        store = context.store.figures
        operators = access.figures.current
        bulk = access.bulkLane.figures
        adaptors = context.adaptors.figures
        mails = context.postman.figures(.mail)
        pushes = context.postman.figures(.push)
        signIn = context.signIn.services.figures
        assets = context.signIn.services.depot.figures
        deletions = context.signIn.services.erasures.figures
        payments = context.signIn.services.purchases.figures
        organisations = context.organisations.figures
    }

    /// Requests by the name of their kind.
    var requests: [String: RequestFigures] {
        var merged: [String: RequestFigures] = [:]
        for shard in shards {
            for (field, figures) in shard.shard.requestTimes {
                merged[kinds[field] ?? "unknown", default: RequestFigures()].add(figures)
            }
        }
        return merged
    }
}

/// Metrics of neither shards nor store nor process.
extension ServerFigures {
    fileprivate typealias Row = Metric<ServerFigures>

    static let metrics: [Metric<ServerFigures>] = [
        Row(unit: "seconds", "age of the oldest mail that waits") { figures in
            .level(figures.mails.oldest.map { max(0, Int((figures.at - $0).components.seconds)) } ?? 0)
        }
        .family(.gauge, "cairn.mails.oldest"),
        Row("always 1; the label is the version") { .counts([$0.version: 1]) }
            .family(.gauge, "cairn.build_info", by: "version"),
        Row("always 1; the label is the region of database, backups and assets") { .counts([$0.region: 1]) }
            .family(.gauge, "cairn.data_region", by: "region"),
        Row(unit: "seconds", "from the receipt of a request to its reply, by kind") {
            .histograms($0.requests.mapValues(\.histogram))
        }
        .family(.histogram, "cairn.request.duration", by: "kind"),
        Row(
            "doors", in: .refusals, unit: "requests",
            "upgrades and page requests turned away before anything else, by reason"
        ) { .counts($0.doorRefusals) }
        .family(.counter, "cairn.door.refusals", by: "reason"),
        Row(unit: "steps", "steps of the wall clock that the server has followed") { .count($0.clockSteps) }
            .family(.counter, "cairn.clock.steps"),
        Row(
            unit: "milliseconds", "how much later keys and tokens expire, because the server was down or seemed to be"
        ) { .level(Int($0.clockDoubt.milliseconds)) }
        .family(.gauge, "cairn.clock.doubt"),
    ]
}
