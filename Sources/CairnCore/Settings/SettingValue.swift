/// The value of one key, in the kinds that a file knows.
public enum SettingValue: Sendable, Equatable {
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// `true` or `false`.
    case flag(Bool)
    /// Text; also a word out of a choice.
    case text(String)
    /// A list of texts.
    case list([String])
    /// Nothing: an optional text that is not set.
    case none

    /// As it stands in a YAML file.
    public var yaml: String {
        switch self {
        case .integer(let value): String(value)
        case .number(let value): Self.shortest(value)
        case .flag(let value): String(value)
        case .text(let value): Self.quotedWhereNeeded(value)
        case .list(let values): "[" + values.map(Self.quotedWhereNeeded).joined(separator: ", ") + "]"
        case .none: "\"\""
        }
    }

    /// As it stands in an environment variable or after `--set key=`: lists with commas.
    public var plain: String {
        switch self {
        case .integer, .number, .flag: yaml
        case .text(let value): value
        case .list(let values): values.joined(separator: ",")
        case .none: ""
        }
    }

    /// 100 rather than 100.0.
    private static func shortest(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }

    /// Plain where YAML reads the same text back, else in double quotes.
    private static func quotedWhereNeeded(_ text: String) -> String {
        let isWord = text.first.map { $0.isLetter } ?? false
        let isPlain = isWord && text.allSatisfy { $0.isLetter || $0.isNumber || "_-/.".contains($0) }
        let isReserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
        if isPlain && !isReserved { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\x" + (digits.count == 1 ? "0" : "") + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// A value as it was found in a file, a variable or a flag, before anything is known about it.
public enum RawSetting: Sendable, Equatable {
    case scalar(String)
    case list([String])

    /// As an error repeats it: on one line, and not longer than a line.
    public var shown: String {
        let text =
            switch self {
            case .scalar(let text): text
            case .list(let items): "[" + items.joined(separator: ", ") + "]"
            }
        let isLong = text.unicodeScalars.count > 80
        let line = text.unicodeScalars.prefix(80).map { $0.value < 0x20 || $0.value == 0x7f ? "?" : String($0) }
        return "\"" + line.joined() + (isLong ? "..." : "") + "\""
    }
}
