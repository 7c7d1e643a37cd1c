/// The frame of a JPEG: its size and components, and which scans fit them.
struct JPEGFrame {
    private let isProgressive: Bool
    private let components: Set<UInt8>

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
        var components: Set<UInt8> = []
        var blocks = 0
        for _ in 0..<count {
            let (name, sampling, table) = (try reader.byte(), try reader.byte(), try reader.byte())
            guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15), table <= 3,
                components.insert(name).inserted
            else { throw .damaged("a component of it is wrong") }
            blocks += Int(sampling >> 4) * Int(sampling & 15)
        }
        guard count == 1 || blocks <= 10 else { throw .damaged("its components do not fit") }
        self.components = components
    }

    func check(scan data: ArraySlice<UInt8>) throws(AssetFault) {
        var reader = ContentReader(data)
        let count = Int(try reader.byte())
        guard (1...components.count).contains(count), reader.left == 2 * count + 3 else {
            throw .damaged("a scan has a wrong length")
        }
        var named: Set<UInt8> = []
        for _ in 0..<count {
            let (name, tables) = (try reader.byte(), try reader.byte())
            guard components.contains(name), named.insert(name).inserted, tables >> 4 <= 3, tables & 15 <= 3 else {
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

/// The orientation in a segment of EXIF (TIFF 6.0, tag 274). Nothing else of it is read.
enum EXIFOrientation {
    private static let tag = 0x0112
    /// Entries of a directory; cameras write about 20.
    private static let entriesMax = 512

    /// - Returns: 1 to 8; nil = the segment is not EXIF, or says none.
    static func read(_ data: ArraySlice<UInt8>) -> Int? {
        guard data.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
        let tiff = Array(data.dropFirst(6))
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
}
