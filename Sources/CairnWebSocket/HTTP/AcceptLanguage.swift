internal import CairnText

/// `Accept-Language` of a request (RFC 9110 12.5.4).
public enum AcceptLanguage {
    /// Most ranges that are looked at.
    private static let rangesMax = 32

    /// The language that the client wants most, of those that there are; nil = none of them.
    /// - Parameters:
    ///   - field: the header; empty = there is none.
    ///   - languages: primary tags in lower case, for instance `fr`.
    public static func best(_ field: String, of languages: [String]) -> String? {
        var best: (language: String, weight: Double)?
        for range in field.lowercased().pieces(at: ",").prefix(rangesMax) {
            let parts = range.pieces(at: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first else { continue }
            let primary = String(tag.prefix { $0 != "-" })
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            guard languages.contains(primary), quality > 0, quality <= 1, quality > best?.weight ?? 0 else { continue }
            best = (primary, quality)
        }
        return best?.language
    }
}
