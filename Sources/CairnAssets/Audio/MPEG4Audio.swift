/// AAC in MP4 (ISO/IEC 14496-3, -12 and -14): boxes, some of which describe a track and one of which holds its samples.
///
/// The content is written anew from what sounds: samples, their times, the decoder's settings and the encoder's delay.
/// Tags, covers, chapters, dates, names of programs, and bytes that no sample uses tell of people, places and devices:
/// nothing of them is read.
enum MPEG4Audio {
    /// Whether a content begins like one: with its file type.
    static func recognises(_ content: some Collection<UInt8>) -> Bool {
        let head = Array(content.prefix(12))
        guard head.count == 12, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return !pictures.contains(String(decoding: head[8...], as: UTF8.self))
    }

    /// Brands of pictures in the same boxes (HEIF, AVIF).
    private static let pictures: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis"]

    static func cleaned(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        let reader = ByteBoxes(bytes)
        guard let movie = try reader.fileBoxes.first(where: { $0.kind == "moov" }) else {
            throw .damaged("it has no movie")
        }
        var sounds: [Range<Int>] = []
        for track in try reader.boxes(in: movie.content) where track.kind == "trak" {
            let handler = try reader.content(of: ["mdia", "hdlr"], in: track.content)
            switch try reader.name(at: handler.lowerBound + 8, before: handler.upperBound) {
            case "soun": sounds.append(track.content)
            case "vide": throw .unknownType  // It has pictures that move.
            default: break  // Chapters, subtitles.
            }
        }
        guard sounds.count == 1 else { throw .damaged("it has \(sounds.count) tracks with sound, and wants one") }
        return try MPEG4Sound(reader, track: sounds[0], inMovie: movie.content).written
    }
}

/// Reads boxes. Every number that a content gives is compared with what is there.
struct ByteBoxes {
    struct Box {
        let kind: String
        /// Where its head begins.
        let start: Int
        let content: Range<Int>
    }

    let bytes: [UInt8]
    /// Most boxes in one: more are not there to be played.
    private static let boxesMax = 1_024
    /// Most boxes of a file, which may have two for each fragment.
    private static let fileBoxesMax = 65_536

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func number(_ count: Int, at offset: Int, before end: Int) throws(AssetFault) -> Int {
        guard end <= bytes.count, offset + count <= end else { throw .damaged("a box is cut off") }
        let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw .damaged("a box is too large") }
        return number
    }

    func name(at offset: Int, before end: Int) throws(AssetFault) -> String {
        _ = try number(4, at: offset, before: end)
        return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    /// Those of the file itself.
    var fileBoxes: [Box] {
        get throws(AssetFault) { try boxes(in: 0..<bytes.count, atMost: Self.fileBoxesMax) }
    }

    func boxes(in range: Range<Int>, atMost most: Int = boxesMax) throws(AssetFault) -> [Box] {
        var (found, offset) = ([Box](), range.lowerBound)
        while offset < range.upperBound {
            guard found.count < most else { throw .damaged("it has too many boxes") }
            var (size, head) = (try number(4, at: offset, before: range.upperBound), 8)
            let kind = try name(at: offset + 4, before: range.upperBound)
            switch size {
            case 0: size = range.upperBound - offset
            case 1: (size, head) = (try number(8, at: offset + 8, before: range.upperBound), 16)
            default: break
            }
            guard size >= head, size <= range.upperBound - offset else { throw .damaged("a box is cut off") }
            found.append(Box(kind: kind, start: offset, content: offset + head..<offset + size))
            offset += size
        }
        return found
    }

    /// The content of a box in a box and so on; nil = there is none.
    func contentIfAny(of path: [String], in range: Range<Int>) throws(AssetFault) -> Range<Int>? {
        var range = range
        for kind in path {
            guard let box = try boxes(in: range).first(where: { $0.kind == kind }) else { return nil }
            range = box.content
        }
        return range
    }

    func content(of path: [String], in range: Range<Int>) throws(AssetFault) -> Range<Int> {
        guard let content = try contentIfAny(of: path, in: range) else {
            throw .damaged("it has no box \(path.joined(separator: "."))")
        }
        return content
    }

    /// The columns of a table: a full box with a count.
    /// - Parameter widths: bytes of the columns.
    func columns(_ widths: [Int], of box: Range<Int>) throws(AssetFault) -> [[Int]] {
        let (count, row) = (try number(4, at: box.lowerBound + 4, before: box.upperBound), widths.reduce(0, +))
        guard count <= (box.count - 8) / row else { throw .damaged("a table is cut off") }
        var (columns, place) = ([[Int]](), box.lowerBound + 8)
        for width in widths {
            columns.append(try numbers(width, at: place, every: row, count: count, before: box.upperBound))
            place += width
        }
        return columns
    }

    /// Numbers of one width at equal distances.
    func numbers(
        _ width: Int, at offset: Int, every stride: Int, count: Int, before end: Int
    ) throws(AssetFault) -> [Int] {
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        for index in 0..<count { numbers.append(try number(width, at: offset + index * stride, before: end)) }
        return numbers
    }
}
