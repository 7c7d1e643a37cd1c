/// The frame of a JPEG: its size and components, which scans fit them, and what it costs to decode these.
///
/// A scan of few bytes may go through every block of the picture: a run of empty blocks has two. So a picture is judged
/// by the blocks of all its scans, before anything is decoded.
struct JPEGFrame {
    private let isProgressive: Bool
    private var components: [UInt8: Component] = [:]
    /// Blocks of a component that has a sample for each pixel.
    private let wholeBlocks: Int
    /// Blocks that the scans so far go through.
    private(set) var scannedBlocks = 0

    fileprivate struct Component {
        let blocks: Int
        /// How many low bits of each coefficient the scans so far leave out; nil = they have nothing of it.
        var missingBits: [UInt8?] = Array(repeating: nil, count: 64)
    }

    /// How often scans may go through the whole picture. Encoders write 5 to 14 times as much for three components,
    /// and 24 times as much for four that are not subsampled.
    static let passesMax = 24

    init(_ data: ArraySlice<UInt8>, isProgressive: Bool, within bounds: AssetBounds) throws(AssetFault) {
        self.isProgressive = isProgressive
        var reader = ContentReader(data)
        guard try reader.byte() == 8 else { throw .damaged("its samples do not have 8 bits") }
        let (height, width) = (try reader.short(), try reader.short())
        try bounds.admit(width: width, height: height)
        let count = Int(try reader.byte())
        guard [1, 3, 4].contains(count), reader.left == 3 * count else {
            throw .damaged("its frame has a wrong length")
        }
        var samplings: [(name: UInt8, across: Int, down: Int)] = []
        for _ in 0..<count {
            let (name, sampling, table) = (try reader.byte(), try reader.byte(), try reader.byte())
            guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15), table <= 3,
                !samplings.contains(where: { $0.name == name })
            else { throw .damaged("a component of it is wrong") }
            samplings.append((name, Int(sampling >> 4), Int(sampling & 15)))
        }
        guard count == 1 || samplings.reduce(0, { $0 + $1.across * $1.down }) <= 10 else {
            throw .damaged("its components do not fit")
        }
        let across = samplings.map(\.across).max() ?? 1
        let down = samplings.map(\.down).max() ?? 1
        let units = ((width + 8 * across - 1) / (8 * across)) * ((height + 8 * down - 1) / (8 * down))
        wholeBlocks = units * across * down
        for sampling in samplings {
            components[sampling.name] = Component(blocks: units * sampling.across * sampling.down)
        }
    }

    /// Blocks of all components.
    var blocks: Int { components.values.reduce(0) { $0 + $1.blocks } }

    mutating func add(scan data: ArraySlice<UInt8>) throws(AssetFault) {
        var reader = ContentReader(data)
        let count = Int(try reader.byte())
        guard (1...components.count).contains(count), reader.left == 2 * count + 3 else {
            throw .damaged("a scan has a wrong length")
        }
        var named: Set<UInt8> = []
        for _ in 0..<count {
            let (name, tables) = (try reader.byte(), try reader.byte())
            guard components[name] != nil, named.insert(name).inserted, tables >> 4 <= 3, tables & 15 <= 3 else {
                throw .damaged("a scan does not fit the frame")
            }
        }
        let (from, to, steps) = (try reader.byte(), try reader.byte(), try reader.byte())
        let isFitting =
            isProgressive
            ? from <= to && to <= 63 && (from > 0 || to == 0) && (from == 0 || count == 1)
                && steps >> 4 <= 13 && steps & 15 <= 13
            : from == 0 && to == 63 && steps == 0
        guard isFitting else { throw .damaged("a scan does not fit the frame") }
        for name in named { try components[name]?.take(Int(from)...Int(to), from: steps >> 4, to: steps & 15) }
        scannedBlocks += named.reduce(0) { $0 + (components[$1]?.blocks ?? 0) }
        guard scannedBlocks <= Self.passesMax * wholeBlocks else { throw .damaged("its scans are too many") }
    }
}

extension JPEGFrame.Component {
    /// Each scan brings bits that the ones before have left out, the next of them where it refines (ISO/IEC 10918-1,
    /// G.1.1.1). What brings nothing new is there to cost time.
    fileprivate mutating func take(
        _ coefficients: ClosedRange<Int>, from high: UInt8, to low: UInt8
    ) throws(AssetFault) {
        for coefficient in coefficients {
            let isNext = high == 0 ? missingBits[coefficient] == nil : missingBits[coefficient] == high
            guard isNext, high == 0 || low == high - 1 else { throw .damaged("its scans repeat what was sent") }
            missingBits[coefficient] = low
        }
    }
}

/// The tables of a JPEG.
enum JPEGTables {
    static func checkQuantization(_ data: ArraySlice<UInt8>) throws(AssetFault) {
        var reader = ContentReader(data)
        repeat {
            let head = try reader.byte()
            guard head >> 4 <= 1, head & 15 <= 3 else { throw .damaged("a table is wrong") }
            _ = try reader.take(head >> 4 == 1 ? 128 : 64)
        } while !reader.isAtEnd
    }

    static func checkHuffman(_ data: ArraySlice<UInt8>) throws(AssetFault) {
        var reader = ContentReader(data)
        repeat {
            let head = try reader.byte()
            guard head >> 4 <= 1, head & 15 <= 3 else { throw .damaged("a table is wrong") }
            var (symbols, codes) = (0, 0)
            for (index, count) in try reader.take(16).enumerated() {
                symbols += Int(count)
                // No more codes of a length than are left by the shorter ones.
                codes = codes * 2 + Int(count)
                guard codes <= 2 << index else { throw .damaged("a table is wrong") }
            }
            guard symbols <= 256 else { throw .damaged("a table is wrong") }
            _ = try reader.take(symbols)
        } while !reader.isAtEnd
    }
}

/// The orientation in a segment of EXIF (TIFF 6.0, tag 274). Nothing else of it is read or written.
enum EXIFOrientation {
    private static let tag = 0x0112
    private static let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    /// Entries of a directory; cameras write about 20.
    private static let entriesMax = 512

    /// - Returns: 1 to 8; nil = the segment is not EXIF, or says none.
    static func read(_ data: ArraySlice<UInt8>) -> Int? {
        data.starts(with: mark) ? read(tiff: Array(data.dropFirst(mark.count))) : nil
    }

    /// The same of EXIF without a segment, as PNG has it.
    static func read(tiff: [UInt8]) -> Int? {
        guard tiff.count >= 8, tiff[0] == tiff[1], tiff[0] == 0x49 || tiff[0] == 0x4D else { return nil }
        let isLittle = tiff[0] == 0x49
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= tiff.count - count else { return nil }
            let bytes = tiff[place..<place + count]
            return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let start = number(4, 4), let count = number(start, 2) else { return nil }
        for index in 0..<min(count, entriesMax) {
            let entry = start + 2 + 12 * index
            guard number(entry, 2) == tag else { continue }
            // One short number.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1, let value = number(entry + 8, 2) else {
                return nil
            }
            return (1...8).contains(value) ? value : nil
        }
        return nil
    }

    /// The data of a segment that has the orientation and nothing else.
    static func written(_ orientation: Int) -> [UInt8] { mark + tiff(orientation) }

    /// The same without a segment.
    static func tiff(_ orientation: Int) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    }
}
