/// One setting: all there is to know about it. From tables of these, values are read and checked, and
/// `config/cairn.yaml` and every `cairn config` command are made.
///
/// `Root` is the value that it is a part of: the settings of a feature, or of the server.
public struct SettingKey<Root: Sendable>: Sendable {
    /// Its name within its section. It carries the unit.
    public let name: String
    /// What it does, in a sentence or two.
    public let meaning: String
    /// What its number counts; nil for what is not a number.
    public let unit: String?
    /// When a change of it counts.
    public let effect: SettingEffect
    /// Whether its value is kept out of everything that is printed.
    public let isSecret: Bool
    /// The values that it takes, as the end of "wants ...".
    public let wants: String
    public let read: @Sendable (Root) -> SettingValue
    /// Puts a value in; false when it is not one of those in `wants`.
    public let write: @Sendable (inout Root, RawSetting) -> Bool
    /// Takes the value over from another root.
    public let copy: @Sendable (_ from: Root, _ into: inout Root) -> Void

    init<Value: Sendable>(
        _ name: String, _ path: Path<Value>, unit: String? = nil, _ effect: SettingEffect, isSecret: Bool = false,
        wants: String, _ meaning: String, read: @escaping @Sendable (Value) -> SettingValue,
        parse: @escaping @Sendable (RawSetting) -> Value?
    ) {
        self.name = name
        self.meaning = meaning
        self.unit = unit
        self.effect = effect
        self.isSecret = isSecret
        self.wants = wants
        self.read = { read($0[keyPath: path]) }
        write = { root, raw in
            guard let value = parse(raw) else { return false }
            root[keyPath: path] = value
            return true
        }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// Where the value stands.
    public typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable
}

/// When a change of a setting counts.
public enum SettingEffect: String, Sendable {
    /// When the server gets SIGHUP.
    case live
    /// When the server starts again.
    case restart
}

/// Two settings of a section that do not go together.
public struct SettingConflict: Sendable, Equatable {
    public let first: String
    /// As in "must be at least".
    public let relation: String
    public let second: String

    public init(_ first: String, _ relation: String, _ second: String) {
        self.first = first
        self.relation = relation
        self.second = second
    }
}
