/// Cutting texts of a grammar (addresses, headers, cursors, settings): by their bytes. `split(separator:)` looks for a
/// `Character`, and a separator that a mark or a joiner follows is none.
extension StringProtocol {
    /// The pieces between the separators.
    /// - Parameters:
    ///   - separator: a letter of ASCII.
    ///   - maxSplits: most cuts; what remains is the last piece.
    ///   - omittingEmptySubsequences: whether pieces without a letter are left out.
    public func pieces(
        at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The first place of a letter of ASCII.
    public func firstPlace(of letter: Unicode.Scalar) -> Index? { utf8.firstIndex(of: UInt8(ascii: letter)) }

    /// The last place of a letter of ASCII.
    public func lastPlace(of letter: Unicode.Scalar) -> Index? {
        let byte = UInt8(ascii: letter)
        var last: Index?
        for place in utf8.indices where utf8[place] == byte { last = place }
        return last
    }
}
