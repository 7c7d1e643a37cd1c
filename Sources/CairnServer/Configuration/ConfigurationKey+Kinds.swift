/// The kinds of keys. Each reads its default from `Configuration()` through its key path.
extension ConfigurationKey {
    /// A key path into a configuration.
    typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

    /// What a text has to look like.
    struct Form: Sendable {
        /// The end of "wants ...".
        let wants: String
        let accepts: @Sendable (String) -> Bool
    }

    /// A whole number within `bounds`.
    static func integer(
        _ name: String,
        _ path: Path<Int>,
        _ bounds: ClosedRange<Int>,
        unit: String,
        _ effect: Effect,
        automatic: Automatic? = nil,
        _ meaning: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name: name, meaning: meaning, unit: unit, effect: effect, isSecret: false,
            wants: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)" + orAuto(automatic),
            automatic: automatic,
            read: { .integer($0[keyPath: path]) },
            write: { configuration, raw in
                guard case .scalar(let text) = raw, let value = wholeNumber(text), bounds.contains(value) else {
                    return false
                }
                configuration[keyPath: path] = value
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// A number within `bounds`.
    static func number(
        _ name: String,
        _ path: Path<Double>,
        _ bounds: ClosedRange<Double>,
        unit: String,
        _ effect: Effect,
        _ meaning: String
    ) -> ConfigurationKey {
        let low = ConfigurationValue.number(bounds.lowerBound).yaml
        let high = ConfigurationValue.number(bounds.upperBound).yaml
        return ConfigurationKey(
            name: name, meaning: meaning, unit: unit, effect: effect, isSecret: false,
            wants: "a number from \(low) to \(high)",
            automatic: nil,
            read: { .number($0[keyPath: path]) },
            write: { configuration, raw in
                guard case .scalar(let text) = raw, let value = Double(text), bounds.contains(value) else {
                    return false
                }
                configuration[keyPath: path] = value
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// `true` or `false`.
    static func flag(
        _ name: String,
        _ path: Path<Bool>,
        _ effect: Effect,
        automatic: Automatic? = nil,
        _ meaning: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name: name, meaning: meaning, unit: nil, effect: effect, isSecret: false,
            wants: "true or false" + orAuto(automatic),
            automatic: automatic,
            read: { .flag($0[keyPath: path]) },
            write: { configuration, raw in
                guard case .scalar(let text) = raw else { return false }
                switch text.lowercased() {
                case "true", "yes", "on", "1": configuration[keyPath: path] = true
                case "false", "no", "off", "0": configuration[keyPath: path] = false
                default: return false
                }
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// One word of an enumeration.
    static func choice<Choice>(
        _ name: String,
        _ path: Path<Choice>,
        _ effect: Effect,
        _ meaning: String
    ) -> ConfigurationKey
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        ConfigurationKey(
            name: name, meaning: meaning, unit: nil, effect: effect, isSecret: false,
            wants: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "),
            automatic: nil,
            read: { .text($0[keyPath: path].rawValue) },
            write: { configuration, raw in
                guard case .scalar(let text) = raw, let value = Choice(rawValue: text) else { return false }
                configuration[keyPath: path] = value
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// A text of some form.
    static func text(
        _ name: String,
        _ path: Path<String>,
        _ form: Form,
        _ effect: Effect,
        _ meaning: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name: name, meaning: meaning, unit: nil, effect: effect, isSecret: false, wants: form.wants,
            automatic: nil,
            read: { .text($0[keyPath: path]) },
            write: { configuration, raw in
                guard case .scalar(let text) = raw, form.accepts(text) else { return false }
                configuration[keyPath: path] = text
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// A text of some form, or nothing.
    static func optionalText(
        _ name: String,
        _ path: Path<String?>,
        _ form: Form,
        _ effect: Effect,
        isSecret: Bool = false,
        automatic: Automatic? = nil,
        _ meaning: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name: name, meaning: meaning, unit: nil, effect: effect, isSecret: isSecret,
            wants: form.wants + (automatic == nil ? ", or \"\" for none" : orAuto(automatic)),
            automatic: automatic,
            read: { $0[keyPath: path].map(ConfigurationValue.text) ?? .none },
            write: { configuration, raw in
                guard case .scalar(let text) = raw else { return false }
                // A key without a value is an empty scalar or YAML's null.
                if automatic == nil, ["", "~", "null"].contains(text) {
                    configuration[keyPath: path] = nil
                    return true
                }
                guard form.accepts(text) else { return false }
                configuration[keyPath: path] = text
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    /// A list of different texts of some form; between commas where it is one text.
    static func list(
        _ name: String,
        _ path: Path<[String]>,
        _ counts: ClosedRange<Int>,
        of form: Form,
        _ effect: Effect,
        _ meaning: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name: name, meaning: meaning, unit: nil, effect: effect, isSecret: false,
            wants: "a list of \(counts.lowerBound) to \(counts.upperBound) different items, each \(form.wants)",
            automatic: nil,
            read: { .list($0[keyPath: path]) },
            write: { configuration, raw in
                let items =
                    switch raw {
                    case .list(let items): items
                    case .scalar(let text):
                        text.isEmpty
                            ? []
                            : text.split(separator: ",", omittingEmptySubsequences: false)
                                .map { String($0.trimmingPrefix { $0 == " " }) }
                    }
                let isGood = counts.contains(items.count) && Set(items).count == items.count
                guard isGood, items.allSatisfy(form.accepts) else { return false }
                configuration[keyPath: path] = items
                return true
            },
            copy: { $1[keyPath: path] = $0[keyPath: path] }
        )
    }

    private static func orAuto(_ automatic: Automatic?) -> String {
        automatic == nil ? "" : ", or auto"
    }

    /// Digits, with `_` between them for the eye as YAML allows.
    private static func wholeNumber(_ text: String) -> Int? {
        guard text.first != "_", text.last != "_" else { return nil }
        return Int(text.filter { $0 != "_" })
    }
}
