/// What a new password must have (ACC-3). Passwords that people have already are never held to it.
public struct PasswordRule: Hashable, Sendable {
    /// Kinds of characters, of any script. A letter without case, such as a Chinese one, is none of them.
    public struct Kinds: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A letter with the Unicode property Uppercase.
        public static let upper = Self(rawValue: 1)
        /// A letter with the Unicode property Lowercase.
        public static let lower = Self(rawValue: 2)
        /// A decimal digit (Nd).
        public static let digit = Self(rawValue: 4)
        /// Punctuation, a symbol or a space (P, S, Zs).
        public static let symbol = Self(rawValue: 8)
        /// The four above.
        public static let all: Self = [.upper, .lower, .digit, .symbol]

        /// The kinds that a scalar value counts as.
        init(of scalar: Unicode.Scalar) {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .decimalNumber: self = .digit
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
                .spaceSeparator:
                self = .symbol
            default: self = properties.isUppercase ? .upper : properties.isLowercase ? .lower : []
            }
        }
    }

    /// User-perceived characters that a password has at least.
    public let charactersMin: Int
    /// Kinds of which it has at least one character each.
    public let kinds: Kinds

    /// The rule of ACC-3 by default.
    /// - Parameter charactersMin: from 1 to `PreparedPassword.charactersMax`; beyond them the nearest of the two.
    public init(charactersMin: Int = 12, kinds: Kinds = .all) {
        self.charactersMin = min(max(charactersMin, 1), PreparedPassword.charactersMax)
        self.kinds = kinds
    }

    /// What the password lacks, for `weak_password`: `length`, `upper`, `lower`, `digit`, `symbol`, in this order.
    /// Empty = the password is good.
    public func missing(in password: PreparedPassword) -> [String] {
        let lacking = kinds.subtracting(password.kinds)
        let words: [(String, Bool)] = [
            ("length", password.characterCount < charactersMin), ("upper", lacking.contains(.upper)),
            ("lower", lacking.contains(.lower)), ("digit", lacking.contains(.digit)),
            ("symbol", lacking.contains(.symbol)),
        ]
        return words.filter(\.1).map(\.0)
    }
}
