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

    /// The turned picture. Where a side does not end with a whole block, that edge is cut off: up to 15 pixels, which
    /// cannot be moved without loss.
    func applied(to bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        guard let transformer = tjInitTransform() else { throw .damaged("it cannot be turned now") }
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
        guard result == 0, let made else { throw .damaged("its image data do not decode") }
        // The library says how many bytes it has made.
        return Array(UnsafeBufferPointer(start: made, count: Int(madeBytes)))
    }
}
