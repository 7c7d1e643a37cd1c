import CTurboJPEG
import CairnAssets

/// A decoded picture in shades of grey, row by row.
struct Grey {
    let width: Int
    let height: Int
    private let at: (_ x: Int, _ y: Int) -> Int

    private init(width: Int, height: Int, at: @escaping (Int, Int) -> Int) {
        (self.width, self.height, self.at) = (width, height, at)
    }

    init(_ jpeg: [UInt8]) throws {
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        var (width, height, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var pixels: [UInt8] = []
        let result = jpeg.withUnsafeBufferPointer { jpeg in
            // The first call writes width and height. The second fills `pixels`, which have a byte for each pixel.
            guard
                tjDecompressHeader3(
                    decoder, jpeg.baseAddress, UInt(jpeg.count), &width, &height, &sampling, &colours) == 0
            else { return Int32(-1) }
            pixels = [UInt8](repeating: 0, count: Int(width * height))
            return tjDecompress2(
                decoder, jpeg.baseAddress, UInt(jpeg.count), &pixels, width, 0, height, Int32(TJPF_GRAY.rawValue), 0)
        }
        guard result == 0 else { throw AssetFault.damaged("it does not decode") }
        let row = Int(width)
        self.init(width: row, height: Int(height)) { x, y in Int(pixels[y * row + x]) }
    }

    /// As a viewer shows it that follows the orientation of Exif (CIPA DC-008, 4.6.4).
    func seen(_ orientation: UInt8) -> Grey {
        let (right, bottom, at) = (width - 1, height - 1, at)
        let turned: (Int, Int) -> Int =
            switch orientation {
            case 2: { at(right - $0, $1) }
            case 3: { at(right - $0, bottom - $1) }
            case 4: { at($0, bottom - $1) }
            case 5: { at($1, $0) }
            case 6: { at($1, bottom - $0) }
            case 7: { at(right - $1, bottom - $0) }
            case 8: { at(right - $1, $0) }
            default: at
            }
        return orientation >= 5
            ? Grey(width: height, height: width, at: turned) : Grey(width: width, height: height, at: turned)
    }

    /// The mean difference of a pixel; of pictures of two sizes, of what both have.
    func differs(from other: Grey) -> Double {
        let (columns, rows) = (min(width, other.width), min(height, other.height))
        let sum = (0..<rows).reduce(0) { sum, y in
            (0..<columns).reduce(sum) { $0 + abs(at($1, y) - other.at($1, y)) }
        }
        return Double(sum) / Double(columns * rows)
    }
}
