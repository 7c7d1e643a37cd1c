internal import CairnText

/// `Range` of a request (RFC 9110 14.2).
enum ByteRange: Equatable {
    /// None, several, of another unit, or malformed: the whole is sent.
    case whole
    case part(Range<Int>)
    /// 416: nothing of it exists.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the header; empty = there is none.
    ///   - byteCount: what there is.
    init(_ field: String, of byteCount: Int) {
        let halves = field.pieces(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else {
            self = .whole
            return
        }
        let ends = Self.trimmed(halves[1]).pieces(at: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .whole
            return
        }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last:
            self = first < byteCount ? .part(first..<min(last, byteCount - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < byteCount ? .part(first..<byteCount) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && byteCount > 0 ? .part(max(0, byteCount - count)..<byteCount) : .unsatisfiable
        default:
            self = .whole
        }
    }

    /// Digits alone; more of them than fit are a very large number.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

/// The name of one state of something, in quotes (RFC 9110 8.8.3).
struct EntityTag: Equatable {
    /// Between the quotes: no quote, no space, ASCII.
    let opaque: String

    var field: String { "\"\(opaque)\"" }

    /// `If-None-Match`: whether the client has this state already. Weak tags count (13.1.2).
    func matches(ifNoneMatch field: String) -> Bool {
        if field == "*" { return true }
        // What stands between two quotes is a tag; commas and W/ stand outside.
        let parts = field.pieces(at: "\"", omittingEmptySubsequences: false)
        return parts.indices.contains { $0 % 2 == 1 && $0 < parts.count - 1 && parts[$0] == opaque }
    }

    /// `If-Range`: whether a part of this state fits what the client has. Only a strong tag says so (13.1.5); a date,
    /// which nothing here has, says no.
    func matches(ifRange field: String) -> Bool { field.isEmpty || field == self.field }
}

/// What a client can unpack (RFC 9110 12.5.3).
enum ContentCoding {
    /// Whether `Accept-Encoding` prefers gzip to none.
    static func wantsGzip(_ field: String) -> Bool { wants("gzip", field) }

    /// Whether `Accept-Encoding` prefers Brotli (RFC 7932) to none.
    static func wantsBrotli(_ field: String) -> Bool { wants("br", field) }

    private static func wants(_ coding: String, _ field: String) -> Bool {
        var weights: [String: Double] = [:]
        for element in field.pieces(at: ",") {
            let parts = element.pieces(at: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            weights[name == "x-gzip" ? "gzip" : name] = min(max(weight, 0), 1)
        }
        let wanted = weights[coding] ?? weights["*"] ?? 0
        // Not to be packed at all is acceptable unless it is said not to be.
        return wanted > 0 && wanted >= weights["identity"] ?? 0
    }
}
