/// Reads what a QR code says (ISO/IEC 18004), out of the SVG: versions 1 to 10 of level M, without damage. It shares
/// nothing with the library that made the code.
struct QRReader {
    private let side: Int
    private let isDark: [[Bool]]
    private let version: Int

    /// Blocks of data of level M by version: how many of which length, then how many of one byte more.
    private static let blocks = [
        (1, 16, 0), (1, 28, 0), (1, 44, 0), (2, 32, 0), (2, 43, 0), (4, 27, 0), (4, 31, 0), (2, 38, 2), (3, 36, 2),
        (4, 43, 1),
    ]
    /// Places of the alignment patterns by version, beside 6.
    private static let alignment = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]]

    /// nil = not the picture of a code of version 1 to 10 with its quiet zone of four.
    init?(svg: String) {
        guard let box = svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/), box.1 == box.2, let whole = Int(box.1) else {
            return nil
        }
        side = whole - 8
        version = (side - 17) / 4
        guard (1...10).contains(version), side == 17 + 4 * version else { return nil }
        var dark = [[Bool]](repeating: .init(repeating: false, count: side), count: side)
        for run in svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            guard let column = Int(run.1), let row = Int(run.2), let length = Int(run.3), run.3 == run.4,
                column >= 4, row >= 4, row < side + 4, column + length <= side + 4
            else { return nil }
            for place in column..<column + length { dark[row - 4][place - 4] = true }
        }
        isDark = dark
    }

    /// The text; nil = the format is not that of level M, or the data are not one piece of bytes in UTF-8.
    var text: String? {
        guard let mask else { return nil }
        let bits = data(mask: mask).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let value = { (range: Range<Int>) in bits[range].reduce(0) { $0 << 1 | Int($1) } }
        guard value(0..<4) == 0b0100 else { return nil }
        let start = version < 10 ? 12 : 20
        let count = value(4..<start)
        guard bits.count >= start + 8 * count else { return nil }
        let bytes = (0..<count).map { UInt8(value(start + 8 * $0..<start + 8 * $0 + 8)) }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The mask's number out of the format information beside the upper left finder.
    private var mask: Int? {
        let places = [0, 1, 2, 3, 4, 5, 7, 8].map { (8, $0) } + [7, 5, 4, 3, 2, 1, 0].map { ($0, 8) }
        let format = places.reduce(0) { $0 << 1 | (isDark[$1.0][$1.1] ? 1 : 0) } ^ 0b101_0100_0001_0010
        // Level M is 00; the remainder by the generator of the code is 0 where no bit is wrong.
        var rest = format
        for bit in stride(from: 14, through: 10, by: -1) where rest >> bit & 1 == 1 {
            rest ^= 0b101_0011_0111 << (bit - 10)
        }
        return rest == 0 && format >> 13 == 0 ? format >> 10 & 7 : nil
    }

    private func isFunction(_ row: Int, _ column: Int) -> Bool {
        let far = side - 8
        if (row < 9 && (column < 9 || column >= far)) || (row >= far && column < 9) { return true }
        if row == 6 || column == 6 { return true }
        if version >= 7 && ((row < 6 && column >= side - 11) || (column < 6 && row >= side - 11)) { return true }
        let places = version == 1 ? [] : [6] + Self.alignment[version - 1]
        for y in places {
            for x in places where abs(row - y) <= 2 && abs(column - x) <= 2 {
                let isFinder = (y == 6 && x == 6) || (y == 6 && x == places.last) || (x == 6 && y == places.last)
                if !isFinder { return true }
            }
        }
        return false
    }

    private static func isFlipped(_ mask: Int, _ i: Int, _ j: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }

    /// The data's bytes: columns in pairs from the right, up and down in turn, then out of their blocks.
    private func data(mask: Int) -> [UInt8] {
        var bits: [Bool] = []
        var isUpward = true
        for right in [stride(from: side - 1, to: 6, by: -2), stride(from: 5, to: 0, by: -2)].joined() {
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where !isFunction(row, column) {
                    bits.append(isDark[row][column] != Self.isFlipped(mask, row, column))
                }
            }
            isUpward.toggle()
        }
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        let (short, length, long) = Self.blocks[version - 1]
        var blocks = [[UInt8]](repeating: [], count: short + long)
        var next = 0
        for place in 0...length {
            for block in blocks.indices where place < length || block >= short {
                blocks[block].append(bytes[next])
                next += 1
            }
        }
        return Array(blocks.joined())
    }
}
