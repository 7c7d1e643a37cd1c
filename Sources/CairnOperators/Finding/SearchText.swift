internal import CairnGeo
internal import CairnText
internal import Foundation

/// What an operator's search text may mean. One text may have several meanings, which are all tried: "ada" begins a
/// name, and is the token of a cell.
struct SearchText: Equatable {
    /// Without blanks around it.
    let text: String
    private(set) var place: Coordinate?
    private(set) var cell: CellID?
    /// 13 characters, as clients are told ids.
    private(set) var id: String?
    /// Of a tour's link.
    private(set) var code: String?
    /// The beginning of a name, or an address of mail; nil = a link or a place, which is none.
    private(set) var name: String?

    static let bytesMax = 512
    private static let idLetters = 13
    private static let codeLetters = 8

    /// - Throws: `bad_argument` for an empty text, for one beyond `bytesMax`, and for a link that leads nowhere here.
    init(_ text: String) throws(StatsRefusal) {
        self.text = text.trimmingCharacters(in: .whitespaces)
        guard !self.text.isEmpty, self.text.utf8.count <= Self.bytesMax else {
            throw StatsRefusal(
                .badArgument, "wants a name, an id, a cell, LAT,LON or a link, of at most \(Self.bytesMax) bytes")
        }
        if let place = Self.place(self.text) {
            self.place = place
        } else if self.text.contains("://") || self.text.hasPrefix("/") || self.text.hasPrefix("#") {
            try readLink()
        } else {
            readWord(self.text)
            name = self.text
        }
    }

    /// Whether it means a place or a cell and can mean nothing that wants admin level.
    var isGround: Bool { id == nil && code == nil && (place != nil || cell != nil) }

    private mutating func readWord(_ word: String) {
        cell = CellID(token: word)
        if word.utf8.count == Self.idLetters { id = word.lowercased() }
        if word.utf8.count == Self.codeLetters { code = word }
    }

    // MARK: Links

    /// A link of a tour (`/j/CODE`), of the page for players (`?at=LAT,LON`, `#/tours/ID`) or of the console
    /// (`#cell/TOKEN`).
    private mutating func readLink() throws(StatsRefusal) {
        let (address, fragment) = Self.parted(text, at: "#")
        let (path, query) = Self.parted(address, at: "?")
        for pair in query.pieces(at: "&") where pair.hasPrefix("at=") {
            place = Self.place(String(pair.dropFirst("at=".count)).removingPercentEncoding ?? "")
        }
        let steps = path.pieces(at: "/").map(String.init)
        if steps.count >= 2, steps[steps.count - 2] == "j" { code = steps.last }
        let parts = fragment.pieces(at: "/").map(String.init)
        if let last = parts.last, parts.count > 1 { readWord(last.removingPercentEncoding ?? last) }
        guard place == nil, code == nil, id == nil, cell == nil else { return }
        throw StatsRefusal(.badArgument, "the link names no tour, no place and no id")
    }

    private static func parted(_ text: String, at mark: Unicode.Scalar) -> (String, String) {
        guard let end = text.firstPlace(of: mark) else { return (text, "") }
        return (String(text[..<end]), String(text[text.index(after: end)...]))
    }

    // MARK: Places

    /// `45.5,-73.57`, or `45.5° N, 73.57° W` as the console writes it.
    private static func place(_ text: String) -> Coordinate? {
        let parts = text.pieces(at: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = degrees(parts[0], "N", "S"), let longitude = degrees(parts[1], "E", "W")
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ text: some StringProtocol, _ above: String, _ below: String) -> Double? {
        var text = text.trimmingCharacters(in: .whitespaces)
        let isBelow = text.hasSuffix(below)
        if isBelow || text.hasSuffix(above) { text.removeLast() }
        text = text.trimmingCharacters(in: CharacterSet(charactersIn: " °"))
        guard let value = Double(text), value.isFinite else { return nil }
        return isBelow ? -value : value
    }
}
