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
}
