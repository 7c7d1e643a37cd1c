/// A unit quaternion in 32 bits, "smallest three": the component of greatest magnitude is left out, since the others give
/// it, and made positive, since q and -q are one orientation.
///
/// Bits 31-30: index of the one left out, x = 0, y = 1, z = 2, w = 3. Bits 29-20, 19-10 and 9-0: the others in the order
/// x, y, z, w, each as n = round(511 + 511 v sqrt(2)), 0 to 1,022. A right angle about an axis and no turn at all come
/// back exactly; the angle between an orientation and what comes back is below 0.2 degrees.
public enum PackedOrientation {
    /// No turn: the object's axes are east, north and up.
    public static let identity: UInt32 = 3 << 30 | 511 << 20 | 511 << 10 | 511

    private static let middle = 511.0
    private static let rootOfTwo = 2.0.squareRoot()

    /// Packs a quaternion of any length above zero; `identity` for one without direction or with a number that is not
    /// finite.
    public static func pack(x: Double, y: Double, z: Double, w: Double) -> UInt32 {
        let components = SIMD4(x, y, z, w)
        let length = (components * components).sum().squareRoot()
        guard length.isFinite, length > 0 else { return identity }
        let unit = components / length

        var largest = 0
        for index in 1..<4 where unit[index].magnitude > unit[largest].magnitude { largest = index }
        let sign: Double = unit[largest] < 0 ? -1 : 1

        var packed = UInt32(largest)
        for index in 0..<4 where index != largest {
            // At most 1/sqrt(2) in magnitude, since another is at least as great; the cut is for rounding.
            let step = (middle + middle * rootOfTwo * sign * unit[index]).rounded()
            packed = packed << 10 | UInt32(min(max(step, 0), 2 * middle))
        }
        return packed
    }

    /// The unit quaternion, for any 32 bits.
    public static func unpack(_ packed: UInt32) -> (x: Double, y: Double, z: Double, w: Double) {
        let largest = Int(packed >> 30)
        var unit = SIMD4<Double>(repeating: 0)
        var shift: UInt32 = 20
        for index in 0..<4 where index != largest {
            unit[index] = (Double(packed >> shift & 1023) - middle) / (middle * rootOfTwo)
            shift = shift &- 10
        }
        // Three numbers that no packing gave may be too long together: the fourth is then 0.
        unit[largest] = max(0, 1 - (unit * unit).sum()).squareRoot()
        let length = (unit * unit).sum().squareRoot()
        unit /= length
        return (unit.x, unit.y, unit.z, unit.w)
    }
}
