public import CairnGeo
public import CairnWire

/// What one feature lets operators set: a section of the configuration. The feature declares it in its folder; files,
/// environment, `config check`, documentation and reload follow from `keys`.
public protocol FeatureSettings: Sendable, Equatable {
    /// Its name in a file: what stands before the dot.
    static var section: String { get }
    /// What it is about, in one sentence.
    static var meaning: String { get }
    /// Every property has exactly one key.
    static var keys: [SettingKey<Self>] { get }

    /// The shipped defaults.
    init()

    /// Contradictions between settings, each of which is within its bounds.
    var conflicts: [SettingConflict] { get }

    /// Makes room for a demonstration, whose few people do for days what others do for minutes.
    mutating func becomeDemo()
}

extension FeatureSettings {
    public var conflicts: [SettingConflict] { [] }
    public mutating func becomeDemo() {}

    fileprivate func equals(_ other: any FeatureSettings) -> Bool { self == other as? Self }
}

/// All settings that rules go by, as one value: those of each feature by their type, and those that several need.
///
/// A copy costs one reference, so a turn, a session and a command may each hold one.
public struct Settings: Sendable {
    private var storage = Storage()

    /// Copied before it is written while others hold it.
    private final class Storage: @unchecked Sendable {
        // Written by `Settings` alone, and only while nothing else refers to it.
        var cellLevel = 16
        var instancesPerCellMax = 2_000
        var viewRadiusMetres = 100.0
        var keyLifetime = Duration.seconds(86_400)
        var mailLifetime = Duration.seconds(86_400)
        var hasFriends = true
        var searchResultsMax = 20
        var countHiddenBelow = 3
        var features: [ObjectIdentifier: FeatureValues] = [:]

        init() {}

        init(copying other: Storage) {
            cellLevel = other.cellLevel
            instancesPerCellMax = other.instancesPerCellMax
            viewRadiusMetres = other.viewRadiusMetres
            keyLifetime = other.keyLifetime
            mailLifetime = other.mailLifetime
            hasFriends = other.hasFriends
            searchResultsMax = other.searchResultsMax
            countHiddenBelow = other.countHiddenBelow
            features = other.features
        }
    }

    /// The shipped defaults.
    public init() {}

    private mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    }

    /// S2 level of the cells that are homes.
    public var cellLevel: Int {
        get { storage.cellLevel }
        set {
            own()
            storage.cellLevel = newValue
        }
    }

    /// Live instances that one cell holds.
    public var instancesPerCellMax: Int {
        get { storage.instancesPerCellMax }
        set {
            own()
            storage.instancesPerCellMax = newValue
        }
    }

    /// How far people see, in metres (VIS-1).
    public var viewRadiusMetres: Double {
        get { storage.viewRadiusMetres }
        set {
            own()
            storage.viewRadiusMetres = newValue
        }
    }

    /// A count of people below it is told as 0.
    public var countHiddenBelow: Int {
        get { storage.countHiddenBelow }
        set {
            own()
            storage.countHiddenBelow = newValue
        }
    }

    /// How long a change's key has its answer.
    public var keyLifetime: Duration {
        get { storage.keyLifetime }
        set {
            own()
            storage.keyLifetime = newValue
        }
    }

    /// How long a mail or a push that cannot be sent is tried again.
    public var mailLifetime: Duration {
        get { storage.mailLifetime }
        set {
            own()
            storage.mailLifetime = newValue
        }
    }

    /// Whether people can have friends. If not, what is shown to friends only is shown to no other person.
    public var hasFriends: Bool {
        get { storage.hasFriends }
        set {
            own()
            storage.hasFriends = newValue
        }
    }

    /// Most results of a search for people or sub-realms.
    public var searchResultsMax: Int {
        get { storage.searchResultsMax }
        set {
            own()
            storage.searchResultsMax = newValue
        }
    }

    /// The settings of one feature: its defaults unless they were set.
    public subscript<Values: FeatureSettings>(_ type: Values.Type) -> Values {
        get { (storage.features[ObjectIdentifier(type)] as? ValuesOf<Values>)?.values ?? Values() }
        set {
            own()
            storage.features[ObjectIdentifier(type)] = ValuesOf(newValue)
        }
    }

    /// Makes room for a demonstration in what these features let operators set.
    public mutating func becomeDemo(_ types: [any FeatureSettings.Type]) {
        func change<Values: FeatureSettings>(_ type: Values.Type) { self[type].becomeDemo() }
        for type in types { change(type) }
    }

    /// The cell that a request names.
    /// - Throws: `invalid_field`.
    public func cell(named token: String, component: String) throws(Refusal) -> CellID {
        guard let cell = CellID(token: token), cell.level == cellLevel else {
            throw Refusal(
                .invalidField, "cell: \"\(token.prefix(32))\" is no cell token of level \(cellLevel)",
                component: component, details: ["field": "cell"])
        }
        return cell
    }
}

extension Settings: Equatable {
    /// Settings that were never set are their defaults.
    public static func == (a: Self, b: Self) -> Bool {
        let (a, b) = (a.storage, b.storage)
        guard a.cellLevel == b.cellLevel,
            a.instancesPerCellMax == b.instancesPerCellMax, a.viewRadiusMetres == b.viewRadiusMetres,
            a.keyLifetime == b.keyLifetime, a.hasFriends == b.hasFriends,
            a.searchResultsMax == b.searchResultsMax, a.countHiddenBelow == b.countHiddenBelow
        else { return false }
        return Set(a.features.keys).union(b.features.keys).allSatisfy { key in
            guard let values = (a.features[key] ?? b.features[key])?.any else { return true }
            return values.equals(a.features[key]?.any ?? values.shipped)
                && values.equals(b.features[key]?.any ?? values.shipped)
        }
    }
}

/// The settings of one feature. Objects, because each turn asks for settings, and the class of an object is compared at
/// once, where a value in an existential is copied to be cast.
private class FeatureValues {
    var any: any FeatureSettings { preconditionFailure("settings are those of a feature") }
}

private final class ValuesOf<Values: FeatureSettings>: FeatureValues {
    let values: Values

    init(_ values: Values) {
        self.values = values
    }

    override var any: any FeatureSettings { values }
}

extension FeatureSettings {
    fileprivate var shipped: any FeatureSettings { Self() }
}
