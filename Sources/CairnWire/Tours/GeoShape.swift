internal import CairnText

/// Looks through a JSON text before it is read: a megabyte of short lists takes Foundation's reader a tenth of a second
/// and more than 30 MB, so what has more lists and values than any tour is refused by counting.
struct GeoShape {
    /// A route of 10,000 points, an area of 1,000 corners and some lists for each of 1,000 parts, with room to spare.
    private static let listsMax = 32_768
    /// Of one text within a text, whose own texts are not counted with the file.
    private static let nestedListsMax = 1_024
    /// Of all lists and objects. A point has three at most.
    private static let valuesMax = 131_072
    /// A polygon's number is in the sixth.
    private static let depthMax = 32

    private var (lists, values, depth) = (0, 0, 0)
    private var (isInText, isEscaped) = (false, false)

    /// - Throws: for a text that no tour needs. It may still be no JSON.
    static func check(_ text: String) throws(TourGeoJSON.Fault) {
        guard lists(in: text) != nil else { throw TourGeoJSON.Fault(cause: "it has more or deeper lists than a tour") }
        guard isStreamSafe(text) else {
            throw TourGeoJSON.Fault(cause: "it has more than \(StreamSafe.marksMax) marks in a row")
        }
    }

    /// Whether a text within a text may be read as JSON.
    static func admits(nested text: String) -> Bool {
        (lists(in: text) ?? .max) <= nestedListsMax && isStreamSafe(text)
    }

    /// How many lists and objects there are; nil = more, or deeper ones, than in a tour.
    private static func lists(in text: String) -> Int? {
        var (shape, text) = (GeoShape(), text)
        return text.withUTF8 { bytes in bytes.allSatisfy { shape.takes($0) } } ? shape.lists : nil
    }

    private static func isStreamSafe(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { StreamSafe.holds(json: UnsafeRawBufferPointer($0)) }
    }

    /// - Returns: false when it is enough.
    private mutating func takes(_ byte: UInt8) -> Bool {
        if isInText {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isInText = false
            default: break
            }
            return true
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: ","): values += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            (lists, values, depth) = (lists + 1, values + 1, depth + 1)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        return lists <= Self.listsMax && values <= Self.valuesMax && depth <= Self.depthMax
    }
}
