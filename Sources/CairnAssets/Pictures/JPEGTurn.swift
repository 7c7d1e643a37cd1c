internal import CTurboJPEG

/// Turns and mirrors a JPEG without loss, by libjpeg-turbo: it moves the coded blocks and decodes no pixel.
struct JPEGTurn {
    private let operation: TJXOP

    /// - Parameter orientation: as EXIF says.
    /// - Returns: nil when nothing is to be turned.
    init?(orientation: Int) {
        switch orientation {
        case 2: operation = TJXOP_HFLIP
        case 3: operation = TJXOP_ROT180
        case 4: operation = TJXOP_VFLIP
        case 5: operation = TJXOP_TRANSPOSE
        case 6: operation = TJXOP_ROT90
        case 7: operation = TJXOP_TRANSVERSE
        case 8: operation = TJXOP_ROT270
        default: return nil
        }
    }

    /// Memory and time of a turn are in proportion to what was sent. A photograph of a phone has a byte for 3 to 8
    /// pixels, and so for 20 to 50 bytes of memory, and 25 to 100 coefficients in all its scans. A picture of one
    /// colour has thousands.
    private static let memoryBytesPerByte = 64
    private static let coefficientsPerByte = 128
    /// What is turned however few bytes it has: 2.7 megapixels, with colours at half the resolution.
    private static let memoryBytesAlways = 16 << 20
    private static let coefficientsAlways = 32 << 20
    /// Most of any turn: 16.7 megapixels as cameras write them, with colours at half the resolution.
    private static let memoryBytesMax = 96 << 20
    /// The library holds the coefficients before and after, of two bytes, 64 in a block.
    private static let memoryBytesPerBlock = 2 * 2 * 64

    /// Whether a picture is to be turned. Any other goes on with its orientation, which costs nothing.
    static func isWorthwhile(_ frame: JPEGFrame, bytes: Int) -> Bool {
        let memory = min(max(memoryBytesAlways, memoryBytesPerByte * bytes), memoryBytesMax)
        let coefficients = max(coefficientsAlways, coefficientsPerByte * bytes)
        return memoryBytesPerBlock * frame.blocks <= memory && 64 * frame.scannedBlocks <= coefficients
    }

    /// The turned picture; nil = it cannot be turned, for instance because it is cut off within a scan. Where a side
    /// does not end with a whole block, that edge is cut off: up to 15 pixels, which cannot be moved without loss.
    func applied(to bytes: [UInt8]) -> [UInt8]? {
        guard let transformer = tjInitTransform() else { return nil }
        defer { tjDestroy(transformer) }
        var transform = tjtransform()
        transform.op = Int32(operation.rawValue)
        transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE
        // Made by the library, freed below.
        var made: UnsafeMutablePointer<UInt8>?
        var madeBytes: UInt = 0
        defer { tjFree(made) }
        let result = bytes.withUnsafeBufferPointer { input in
            tjTransform(
                transformer, input.baseAddress, UInt(input.count), 1, &made, &madeBytes, &transform, TJFLAG_LIMITSCANS)
        }
        guard result == 0, let made else { return nil }
        // The library says how many bytes it has made.
        return Array(UnsafeBufferPointer(start: made, count: Int(madeBytes)))
    }
}
