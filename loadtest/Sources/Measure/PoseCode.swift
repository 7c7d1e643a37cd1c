/// A pose's number, encoded in its height, so that it survives quantising and snapping. A receiver identifies the
/// sender's pose by it, from which loss, order and latency follow.
enum PoseCode {
    /// Millimetres between the heights of two numbers; a step of the wire is 10 mm in cells of level 16.
    static let quantumMillimetres = 50
    /// Numbers restart after this many: seven minutes at 10 a second.
    static let modulus = 4_096
    /// Height of number 0, millimetres above the ellipsoid.
    static let floorMillimetres = 40_000

    /// Height for pose `number` of a sender, metres.
    static func height(of number: UInt32) -> Double {
        Double(floorMillimetres + Int(number) % modulus * quantumMillimetres) / 1_000
    }

    /// Height of a pose without a number, as before the run.
    static let unnumberedHeight = Double(floorMillimetres) / 1_000 - 5

    /// The latest of `count` numbers, from 0, that has this code; nil when none has, so that the pose was never sent.
    @inline(__always)
    static func number(_ code: UInt32, of count: UInt32) -> UInt32? {
        guard count > 0 else { return nil }
        let behind = (count - 1 &- code) & UInt32(modulus - 1)
        return behind < count ? count - 1 - behind : nil
    }

    /// The number modulo `modulus`; nil for a pose without one.
    @inline(__always)
    static func code(heightMillimetres: Int) -> UInt32? {
        let above = heightMillimetres - floorMillimetres + quantumMillimetres / 2
        guard above >= 0 else { return nil }
        return UInt32(truncatingIfNeeded: above / quantumMillimetres) & UInt32(modulus - 1)
    }
}
