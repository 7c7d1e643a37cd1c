public import CairnCore
internal import CairnWire

/// The bound that every change has (SYN-2): each leaves a stored reply on disk for as long as its key lives.
///
/// A feature that knows better bounds its own changes by a day. All other kinds of changes of the register are counted
/// here together, those of features to come as well. So the stored replies of one person are never more than what the
/// quotas of a day allow, whatever they send. Their bytes have one bound for all kinds together (`ReplyBytes`).
public enum ChangeQuota: Feature {
    public static let name = "changes"
    public static let commands: [any Command.Type] = []
    public static let migrations: [Migration] = []
    public static let publishes: Set<HomeKind> = []
    public static let settings: (any FeatureSettings.Type)? = ChangeSettings.self

    /// - Parameter features: all others.
    static func quota(of features: [any Feature.Type], sharing shared: [Quota]) -> Quota {
        let bounded = (features.flatMap { $0.quotas } + shared).filter(isOfADay).flatMap { $0.commands.map { $0.kind } }
        let counted = features.flatMap { $0.commands }.filter { $0.isChange && !bounded.contains($0.kind) }
        let kinds = counted.map { $0.kind }
        return Quota(
            "changes", of: name, code: .rateLimited, counting: counted,
            windows: [Quota.Window(.day) { $0.changes.perDay }],
            stored: Quota.Stored(
                query: { StoredReply.hours(of: kinds, by: $0, after: $1 - Quota.Span.day.length) },
                times: StoredReply.timesOfHours))
    }

    /// Whether a quota bounds a person's changes of a day, also over restarts.
    private static func isOfADay(_ quota: Quota) -> Bool {
        quota.stored != nil && quota.windows.contains { $0.isStored && $0.span.length >= Quota.Span.day.length }
    }
}

/// The operators' settings of changes of all kinds.
public struct ChangeSettings: FeatureSettings {
    /// Changes of one person in any 24 hours, of all kinds that have no such limit of their own.
    public var perDay = 10_000
    /// KiB on disk of the stored replies to one person's changes in any 24 hours, of all kinds.
    public var kilobytesPerDay = 12_288

    public init() {}

    public static let section = "changes"
    public static let meaning = "Bounds of a user's changes of all kinds together."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "perDay", \.perDay, 100...10_000_000, unit: "changes", .live,
            "Changes of one user in any 24 hours of kinds that have no limit of a day of their own, such as of "
                + "sub-realms, votes, runs and drafts; each keeps some 300 bytes on disk for storage.keyHours. The "
                + "next is refused with rate_limited."),
        .integer(
            "kilobytesPerDay", \.kilobytesPerDay, 64...1_048_576, unit: "KiB", .live,
            "Bytes on disk of the answers that are kept for retries of one user's changes, of all kinds, in any 24 "
                + "hours; not less than 512 bytes for each change that changes.perDay, placement.perDay and "
                + "placement.changesPerDay allow. A change beyond them is refused with rate_limited."),
    ]

    public mutating func becomeDemo() {
        perDay = max(perDay, 100_000)
        kilobytesPerDay = max(kilobytesPerDay, 131_072)
    }
}

extension Settings {
    /// The operators' settings of changes of all kinds.
    public var changes: ChangeSettings {
        get { self[ChangeSettings.self] }
        set { self[ChangeSettings.self] = newValue }
    }
}
