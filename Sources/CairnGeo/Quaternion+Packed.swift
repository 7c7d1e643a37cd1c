/// Four bytes for an orientation in a presence batch: "smallest three".
///
/// Bits 31-30 name the component with the greatest magnitude (0 x, 1 y, 2 z, 3 w), made positive and left out; it
/// follows from the norm. The others follow in the order x, y, z, w, in bits 29-20, 19-10, 9-0. None is greater than
/// sqrt(1/2), so the code is `round(value * 511 * sqrt(2)) + 511`, 0 to 1022: an odd number of steps, so that 0 is
/// exact and ``identity`` survives. Off by at most 0.28 degrees (``packedErrorMaxRadians``).
extension Quaternion {
    /// The greatest angle between an orientation and what comes back from 32 bits.
    ///
    /// A code is off by half a step, d = 1 / (2 * 511 * sqrt(2)), three of them by sqrt(3) d. The left out component is
    /// at least 1/2, which stretches an error on the unit sphere by at most 2, and the rotation turns by twice the
    /// angle on it: 4 sqrt(3) d = 4.8e-3 rad = 0.275 degrees, and a little for curvature.
    public static let packedErrorMaxRadians = 4.9e-3

    private static let packedScale = 511 * 2.0.squareRoot()
    private static let packedZero = 511
    private static let packedCodeMax = 1022

    /// The orientation in 32 bits. A quaternion without direction (``normalised()`` is `nil`) packs as ``identity``.
    public var packed: UInt32 {
        let unit = normalised() ?? .identity
        let components = SIMD4(unit.x, unit.y, unit.z, unit.w)
        var largest = 3
        for index in 0..<3 where abs(components[index]) > abs(components[largest]) { largest = index }
        let sign: Double = components[largest] < 0 ? -1 : 1
        var bits = UInt32(largest)
        for index in 0..<4 where index != largest {
            let step = Int((components[index] * sign * Self.packedScale).rounded())
            bits = bits << 10 | UInt32(min(max(step + Self.packedZero, 0), Self.packedCodeMax))
        }
        return bits
    }

    /// A unit quaternion with its greatest component positive; `nil` for bits that no orientation packs to: a code of
    /// 1023, or three components that leave too little for a greatest one.
    public init?(packed bits: UInt32) {
        let largest = Int(bits >> 30)
        var components = SIMD4<Double>.zero
        var shift: UInt32 = 20
        for index in 0..<4 where index != largest {
            let code = Int(bits >> shift & 0x3FF)
            guard code <= Self.packedCodeMax else { return nil }
            components[index] = Double(code - Self.packedZero) / Self.packedScale
            shift &-= 10
        }
        let rest = 1 - (components * components).sum()
        // 1/4 but for the rounding of the three: (sqrt(3/4) + sqrt(3) d)^2 = 0.7521.
        guard rest >= 0.2479 else { return nil }
        components[largest] = rest.squareRoot()
        self.init(x: components.x, y: components.y, z: components.z, w: components.w)
    }
}
