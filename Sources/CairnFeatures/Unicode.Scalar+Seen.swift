extension Unicode.Scalar {
    /// Whether a code point is there to be seen: no blank, and no character without a form, such as a zero-width space.
    var isSeen: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
            && self != Self.emptyBraille
    }

    private static let emptyBraille: Self = "\u{2800}"
}

extension String {
    /// Whether the scalar is invisible.
    var isBlank: Bool { !unicodeScalars.contains(where: \.isSeen) }
}
