/// A limit of characters as people count them: a character is an extended grapheme cluster, so a family of emoji is one
/// (PRF-3, SUB-1).
extension String {
    /// Bytes of UTF-8 that a text may have for each character of its limit. A character may be many code points, but
    /// not any number of them: letters of any script and emoji of a whole family have fewer bytes.
    private static var bytesPerCharacter: Int { 32 }

    /// Whether the text keeps to a limit of characters.
    public func hasAtMost(characters max: Int) -> Bool {
        // No text has more characters than bytes: most need not be counted.
        utf8.count <= max || (utf8.count <= Self.bytesPerCharacter * max && count <= max)
    }

    /// The longest whole characters that have no more bytes of UTF-8.
    public func cut(toBytes max: Int) -> String {
        guard utf8.count > max else { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= max
            })
    }

    /// The same, and if something is left out it ends with "…".
    public func shortened(toBytes max: Int) -> String {
        let ellipsis = "…"
        guard utf8.count > max else { return self }
        return max < ellipsis.utf8.count ? "" : cut(toBytes: max - ellipsis.utf8.count) + ellipsis
    }
}
