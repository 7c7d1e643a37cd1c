/// SplitMix64 (Steele, Lea, Flood 2014): small, fast and repeatable from its seed. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A generator of its own for part `index`, so that parts do not disturb one another.
    public func branch(_ index: UInt64) -> SeededGenerator {
        var mixer = SeededGenerator(seed: state ^ (index &+ 1) &* 0xD1B5_4A32_D192_ED03)
        return SeededGenerator(seed: mixer.next())
    }
}
