internal import CairnText

/// The kinds of keys.
extension SettingKey {
    /// A whole number within `bounds`.
    public static func integer(
        _ name: String, _ path: Path<Int>, _ bounds: ClosedRange<Int>, unit: String, _ effect: SettingEffect,
        _ meaning: String
    ) -> Self {
        Self(
            name, path, unit: unit, effect,
            wants: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)", meaning,
            read: { .integer($0) },
            parse: { raw in
                guard case .scalar(let text) = raw, let value = wholeNumber(text) else { return nil }
                return bounds.contains(value) ? value : nil
            })
    }

    /// A number within `bounds`.
    public static func number(
        _ name: String, _ path: Path<Double>, _ bounds: ClosedRange<Double>, unit: String, _ effect: SettingEffect,
        _ meaning: String
    ) -> Self {
        let low = SettingValue.number(bounds.lowerBound).yaml
        let high = SettingValue.number(bounds.upperBound).yaml
        return Self(
            name, path, unit: unit, effect, wants: "a number from \(low) to \(high)", meaning,
            read: { .number($0) },
            parse: { raw in
                guard case .scalar(let text) = raw, let value = Double(text) else { return nil }
                return bounds.contains(value) ? value : nil
            })
    }

    /// `true` or `false`.
    public static func flag(
        _ name: String, _ path: Path<Bool>, _ effect: SettingEffect, _ meaning: String
    ) -> Self {
        Self(
            name, path, effect, wants: "true or false", meaning,
            read: { .flag($0) },
            parse: { raw in
                guard case .scalar(let text) = raw else { return nil }
                switch text.lowercased() {
                case "true", "yes", "on", "1": return true
                case "false", "no", "off", "0": return false
                default: return nil
                }
            })
    }

    /// One word of an enumeration.
    public static func choice<Choice>(
        _ name: String, _ path: Path<Choice>, _ effect: SettingEffect, _ meaning: String
    ) -> Self
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        Self(
            name, path, effect, wants: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "), meaning,
            read: { .text($0.rawValue) },
            parse: { raw in
                guard case .scalar(let text) = raw else { return nil }
                return Choice(rawValue: text)
            })
    }

    /// A text of some form.
    public static func text(
        _ name: String, _ path: Path<String>, _ form: SettingForm, _ effect: SettingEffect, _ meaning: String
    ) -> Self {
        Self(
            name, path, effect, wants: form.wants, meaning,
            read: { .text($0) },
            parse: { raw in
                guard case .scalar(let text) = raw, form.accepts(text) else { return nil }
                return text
            })
    }

    /// A text of some form, or nothing.
    /// - Parameter mayBeEmpty: whether an empty one means nothing; else nothing is only what no source has set.
    public static func optionalText(
        _ name: String, _ path: Path<String?>, _ form: SettingForm, _ effect: SettingEffect, isSecret: Bool = false,
        mayBeEmpty: Bool = true, _ meaning: String
    ) -> Self {
        Self(
            name, path, effect, isSecret: isSecret, wants: form.wants + (mayBeEmpty ? ", or \"\" for none" : ""),
            meaning,
            read: { $0.map(SettingValue.text) ?? .none },
            parse: { raw -> String?? in
                guard case .scalar(let text) = raw else { return nil }
                // A key without a value is an empty scalar or YAML's null.
                if mayBeEmpty, ["", "~", "null"].contains(text) { return .some(nil) }
                guard form.accepts(text) else { return nil }
                return text
            })
    }

    /// A list of different texts of some form; between commas where it is one text.
    public static func list(
        _ name: String, _ path: Path<[String]>, _ counts: ClosedRange<Int>, of form: SettingForm,
        _ effect: SettingEffect, _ meaning: String
    ) -> Self {
        Self(
            name, path, effect,
            wants: "a list of \(counts.lowerBound) to \(counts.upperBound) different items, each \(form.wants)",
            meaning,
            read: { .list($0) },
            parse: { raw in
                let items =
                    switch raw {
                    case .list(let items): items
                    case .scalar(let text):
                        text.isEmpty
                            ? []
                            : text.pieces(at: ",", omittingEmptySubsequences: false)
                                .map { String($0.trimmingPrefix { $0 == " " }) }
                    }
                let isGood = counts.contains(items.count) && Set(items).count == items.count
                return isGood && items.allSatisfy(form.accepts) ? items : nil
            })
    }

    /// Digits, with `_` between them for the eye as YAML allows.
    private static func wholeNumber(_ text: String) -> Int? {
        guard text.first != "_", text.last != "_" else { return nil }
        return Int(text.filter { $0 != "_" })
    }
}

/// What a text has to look like.
public struct SettingForm: Sendable {
    /// The end of "wants ...".
    public let wants: String
    public let accepts: @Sendable (String) -> Bool

    public init(wants: String, accepts: @escaping @Sendable (String) -> Bool) {
        self.wants = wants
        self.accepts = accepts
    }

    /// One mail address, of ASCII and without a name or comment.
    public static let mailAddress = Self(wants: "a mail address such as cairn@example.org") { text in
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !",;:<>()\"\\".utf8.contains($0) }
    }

    /// Ids and names that travel on the wire and stand in the database.
    public static let name = Self(wants: "a word of 1 to 64 letters, digits or any of : _ . -") { text in
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: ":_.-".utf8.contains(byte)
                }
            }
    }
}
