public import CairnGeo

/// How fast a device travels, to tell people from programs that jump about to look at the whole world.
///
/// It is asked only when new cells come into view: what is in view may be crossed at any speed. What counts is the way
/// since it was asked last, so that whatever is shown could have been seen by travelling at the limit. Time is the
/// caller's, monotonic microseconds.
public struct Journey: Sendable {
    /// A way that needs no time, in seconds at the limit: for the noise of satellites and for late positions.
    private static let slackSeconds = 5.0

    private var place: Coordinate?
    private var askedAt: UInt64 = 0
    /// What is left of the slack, in metres; nil = all of it.
    private var slackMetres: Double?

    /// Begins a journey: its first place is no jump.
    public init() {}

    /// Whether the way from the last place to this one takes longer than the time that has passed.
    /// - Parameter metresPerSecond: faster is a jump; 0 = nothing is.
    public mutating func isJump(to place: Coordinate, metresPerSecond: Int, now: UInt64) -> Bool {
        defer { (self.place, askedAt) = (place, now) }
        guard metresPerSecond > 0, let last = self.place else { return false }
        let slack = Double(metresPerSecond) * Self.slackSeconds
        let allowed = min(slackMetres ?? slack, slack) + Double(now - min(now, askedAt)) / 1e6 * Double(metresPerSecond)
        let left = allowed - last.distanceMetres(to: place)
        guard left >= 0 else { return true }
        slackMetres = min(left, slack)
        return false
    }
}

extension Journey: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(place, slackMetres)
        encoder.put(moment: askedAt)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        (place, slackMetres) = (try decoder.get(), try decoder.get())
        askedAt = try decoder.moment()
    }
}
