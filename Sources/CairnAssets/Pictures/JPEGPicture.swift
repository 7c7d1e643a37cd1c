/// JPEG (ISO/IEC 10918-1): segments that begin with 0xFF and a marker, and scans of coded pixels.
///
/// Kept are frame, tables and scans, and of applications' segments JFIF without its thumbnail and Adobe, which say how
/// colours are to be read. EXIF, XMP, IPTC, comments and everything behind the end are dropped, and of colour profiles
/// all but the one that phones write (`DisplayP3`), which is written anew. An EXIF orientation is applied before that,
/// where the picture can be turned for no more than its bytes allow; else it stays, alone. A picture without its end
/// gets one.
enum JPEGPicture {
    static let mark: [UInt8] = [0xFF, 0xD8, 0xFF]

    static func cleaned(_ bytes: [UInt8], within bounds: AssetBounds) throws(AssetFault) -> [UInt8] {
        var picture = JPEGSegments(bounds)
        let upright = try picture.copy(bytes)
        guard let turn = JPEGTurn(orientation: picture.orientation) else { return upright }
        guard let frame = picture.frame, JPEGTurn.isWorthwhile(frame, bytes: upright.count),
            let turned = turn.applied(to: upright)
        else { return picture.copyWithOrientation }
        var segments = JPEGSegments(bounds, isDisplayP3: picture.isDisplayP3)
        return try segments.copy(turned)
    }
}

/// Goes through the segments of a JPEG and copies those that show the picture.
struct JPEGSegments {
    private let bounds: AssetBounds
    private var output: [UInt8] = []
    /// As EXIF says; 1 = upright.
    private(set) var orientation = 1
    private(set) var frame: JPEGFrame?
    /// Whether its colours are those of phones, which a profile says.
    private(set) var isDisplayP3: Bool
    private var hasProfile = false
    private var hasJFIF = false
    private var hasAdobe = false
    private var scans = 0

    /// Encoders of progressive pictures write about 10 scans, and up to 18 for four components. How much these go
    /// through is bounded by the frame.
    private static let scansMax = 64
    /// Most segments in one file. A segment has at least four bytes; no encoder comes near this number.
    private static let segmentsMax = 65_536

    init(_ bounds: AssetBounds, isDisplayP3: Bool = false) {
        self.bounds = bounds
        self.isDisplayP3 = isDisplayP3
    }

    mutating func copy(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        output.reserveCapacity(bytes.count)
        var reader = ContentReader(bytes[...])
        guard try reader.short() == 0xFFD8 else { throw .damaged("it does not begin as a picture") }
        output += [0xFF, 0xD8]
        for _ in 0..<Self.segmentsMax {
            // Browsers show a picture that has no end.
            let marker = try reader.isAtEnd && scans > 0 ? 0xD9 : Self.marker(&reader)
            if marker == 0xD9 {
                guard scans > 0 else { throw .damaged("it has no image data") }
                output += [0xFF, 0xD9]
                return output
            }
            let length = try reader.short()
            guard length >= 2 else { throw .damaged("a segment has a wrong length") }
            try take(marker, try reader.take(length - 2))
            if marker == 0xDA { try copyScan(bytes, &reader) }
        }
        throw .damaged("it has too many segments")
    }

    /// The next marker. Any number of 0xFF may come before it.
    private static func marker(_ reader: inout ContentReader) throws(AssetFault) -> UInt8 {
        guard try reader.byte() == 0xFF else { throw .damaged("a segment has no marker") }
        var marker: UInt8
        repeat { marker = try reader.byte() } while marker == 0xFF
        return marker
    }

    private mutating func take(_ marker: UInt8, _ data: ArraySlice<UInt8>) throws(AssetFault) {
        if isDisplayP3, !hasProfile, !(0xE0...0xEF).contains(marker), marker != 0xFE {
            hasProfile = true
            append(0xE2, DisplayP3.segment)
        }
        switch marker {
        case 0xC0, 0xC1, 0xC2:
            guard frame == nil else { throw .damaged("it has two frames") }
            frame = try JPEGFrame(data, isProgressive: marker == 0xC2, within: bounds)
            append(marker, data)
        case 0xC4:
            try JPEGTables.checkHuffman(data)
            append(marker, data)
        case 0xDB:
            try JPEGTables.checkQuantization(data)
            append(marker, data)
        case 0xDD:
            guard data.count == 2 else { throw .damaged("a segment has a wrong length") }
            append(marker, data)
        case 0xDA:
            guard frame != nil else { throw .damaged("its image data have no frame") }
            try frame?.add(scan: data)
            scans += 1
            guard scans <= Self.scansMax else { throw .damaged("it has too many scans") }
            append(marker, data)
        case 0xE0: keepJFIF(data)
        case 0xE1: if frame == nil, let found = EXIFOrientation.read(data) { orientation = found }
        case 0xEE: keepAdobe(data)
        case 0xE2: isDisplayP3 = isDisplayP3 || DisplayP3.isIn(segment: data)
        case 0xE3...0xED, 0xEF, 0xFE: break
        default: throw .damaged("it is coded in a way that is not taken")
        }
    }

    private mutating func append(_ marker: UInt8, _ data: some Collection<UInt8>) {
        output += Self.head(marker, of: data)
        output += data
    }

    private static func head(_ marker: UInt8, of data: some Collection<UInt8>) -> [UInt8] {
        [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)]
    }

    /// The copy as it lies, with a segment of EXIF that says how it is to be turned.
    var copyWithOrientation: [UInt8] {
        let data = EXIFOrientation.written(orientation)
        return output[..<2] + Self.head(0xE1, of: data) + data + output[2...]
    }

    /// Version and density, with a thumbnail of no pixels.
    private mutating func keepJFIF(_ data: ArraySlice<UInt8>) {
        guard !hasJFIF, data.count >= 14, data.starts(with: [0x4A, 0x46, 0x49, 0x46, 0]) else { return }
        hasJFIF = true
        append(0xE0, Array(data.prefix(12)) + [0, 0])
    }

    /// The colour transformation.
    private mutating func keepAdobe(_ data: ArraySlice<UInt8>) {
        guard !hasAdobe, data.count >= 12, data.starts(with: "Adobe".utf8) else { return }
        hasAdobe = true
        append(0xEE, data.prefix(12))
    }

    /// Copies coded pixels up to the next marker that does not belong to them.
    private mutating func copyScan(_ bytes: [UInt8], _ reader: inout ContentReader) throws(AssetFault) {
        let start = reader.position
        var place = start
        while true {
            let next = bytes[place...].firstIndex(of: 0xFF) ?? bytes.count
            let isLast = next + 1 >= bytes.count
            guard !isLast, bytes[next + 1] == 0 || (0xD0...0xD7).contains(bytes[next + 1]) else {
                guard next > start else { throw .damaged("a scan has no image data") }
                output += bytes[start..<next]
                return try reader.move(to: isLast ? bytes.count : next)
            }
            place = next + 2
        }
    }
}
