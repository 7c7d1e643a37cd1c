/// The header of a PNG: size and form of its pixels, and so the exact length of its image data.
struct PNGHeader {
    enum Palette {
        case needed, allowed, forbidden
    }

    private let width: Int
    private let height: Int
    private let bitsPerPixel: Int
    private let isInterlaced: Bool
    let palette: Palette
    /// Most colours of a palette.
    let coloursMax: Int
    /// Length of a transparent colour; nil = one byte for each colour of the palette.
    let transparencyBytes: Int?

    /// Depths that each colour type may have, and its samples per pixel.
    private static let forms: [UInt8: (depths: Set<Int>, samples: Int)] = [
        0: ([1, 2, 4, 8, 16], 1), 2: ([8, 16], 3), 3: ([1, 2, 4, 8], 1), 4: ([8, 16], 2), 6: ([8, 16], 4),
    ]

    init(_ data: ArraySlice<UInt8>, within bounds: AssetBounds) throws(AssetFault) {
        guard data.count == 13 else { throw .damaged("its header has a wrong length") }
        var reader = ContentReader(data)
        (width, height) = (try reader.long(), try reader.long())
        try bounds.admit(width: width, height: height)
        let (depth, colour) = (Int(try reader.byte()), try reader.byte())
        guard let form = Self.forms[colour], form.depths.contains(depth) else {
            throw .damaged("its pixels have an unknown form")
        }
        let (packing, filter, interlace) = (try reader.byte(), try reader.byte(), try reader.byte())
        guard packing == 0, filter == 0, interlace <= 1 else { throw .damaged("it is packed in an unknown way") }
        isInterlaced = interlace == 1
        bitsPerPixel = depth * form.samples
        palette = colour == 3 ? .needed : colour == 2 || colour == 6 ? .allowed : .forbidden
        coloursMax = colour == 3 ? 1 << depth : 256
        // None for colours with an alpha channel: no chunk has this length.
        transparencyBytes = [0: 2, 2: 6, 4: 0, 6: 0][colour]
    }

    /// The rows of a pass: how many, and their bytes without the filter's.
    private struct Pass {
        let rows: Int
        let rowBytes: Int
    }

    /// Of an interlaced picture: where each pass of Adam7 begins, and its steps.
    private static let adam7 = [
        (x: 0, y: 0, dx: 8, dy: 8), (x: 4, y: 0, dx: 8, dy: 8), (x: 0, y: 4, dx: 4, dy: 8), (x: 2, y: 0, dx: 4, dy: 4),
        (x: 0, y: 2, dx: 2, dy: 4), (x: 1, y: 0, dx: 2, dy: 2), (x: 0, y: 1, dx: 1, dy: 2),
    ]

    private var passes: [Pass] {
        guard isInterlaced else { return [pass(width, height)] }
        return Self.adam7.map { pass((width - $0.x + $0.dx - 1) / $0.dx, (height - $0.y + $0.dy - 1) / $0.dy) }
            .filter { $0.rows > 0 && $0.rowBytes > 0 }
    }

    private func pass(_ width: Int, _ height: Int) -> Pass {
        Pass(rows: height, rowBytes: (width * bitsPerPixel + 7) / 8)
    }

    /// Inflates the image data and checks it: its length must follow from the size, and each row must begin with a
    /// filter.
    /// - Returns: how many bytes of the data are the picture; some encoders add others.
    func check(_ image: [ArraySlice<UInt8>]) throws(AssetFault) -> Int {
        var passes = passes[...]
        var (rows, rowBytes, leftInRow) = (0, 0, 0)
        var inflater = Inflater()
        for (index, part) in image.enumerated() {
            try inflater.take(part, isLast: index == image.count - 1) { piece throws(AssetFault) in
                var place = piece.startIndex
                while place < piece.endIndex {
                    if leftInRow == 0 {
                        if rows == 0 {
                            guard let pass = passes.popFirst() else {
                                throw .damaged("it has more pixels than it says")
                            }
                            (rows, rowBytes) = (pass.rows, pass.rowBytes)
                        }
                        guard piece[place] <= 4 else { throw .damaged("a row has an unknown filter") }
                        rows -= 1
                        leftInRow = rowBytes
                        place += 1
                    }
                    let step = min(leftInRow, piece.endIndex - place)
                    leftInRow -= step
                    place += step
                }
            }
        }
        guard passes.isEmpty, rows == 0, leftInRow == 0 else { throw .damaged("it has fewer pixels than it says") }
        return inflater.consumed
    }
}
