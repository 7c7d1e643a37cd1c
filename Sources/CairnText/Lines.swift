/// Names and other texts of one line, and texts of several.
extension Unicode.Scalar {
    /// Whether its category is Cc, Zl or Zp. Those never get further members (Unicode's stability policy), and looking
    /// a category up takes ten times as long.
    public var isControlOrBreak: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether it does nothing but turn the direction in which what is around it is written (Unicode, Bidi_Control).
    public var turnsDirection: Bool {
        switch value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// Whether it may be a name, or another text that stands in a line with what the server writes: no control, no
    /// line break, and nothing that turns the direction of writing, which would disguise it and the text behind it.
    /// One rule for all names but usernames and names of organisations, which are stricter.
    public var isOneLine: Bool { unicodeScalars.allSatisfy { !$0.isControlOrBreak && !$0.turnsDirection } }

    /// Without what may not stand in a line: for a label that is no reason to refuse what it comes with.
    public var inOneLine: String {
        var line = self
        line.unicodeScalars.removeAll { $0.isControlOrBreak || $0.turnsDirection }
        return line
    }

    /// Whether it is a text of lines that end with a line feed, without other controls.
    public var isOfLines: Bool { unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControlOrBreak } }
}
