public import CairnGeo
public import CairnTime

/// The speed of a device, which tells people from programs that jump around the world to read it.
///
/// Asked only when new cells come into view: ground in view may be crossed at any speed. The distance counts from the
/// last time it was asked, so a device sees no more than travelling at the limit would show. Time is the caller's.
public struct Journey: Sendable {
    /// Slack for noisy and late positions: a distance that needs no time, given as seconds at the limit.
    private static let slackSeconds = 5.0
    /// Within this time of the first place one jump is none: a phone's first fix may be an old one, or far off.
    private static let correctionMax: Duration = .seconds(30)

    private var place: Coordinate?
    private var askedAt: MonotonicTime = .epoch
    /// What is left of the slack, in metres; nil = all of it.
    private var slackMetres: Double?
    private var beganAt: MonotonicTime = .epoch
    /// Whether the jump that is allowed has been.
    private var isCorrected = false

    /// Begins a journey: its first place is no jump, and one more soon after it is none either.
    public init() {}

    /// Whether the distance from the last place is longer than the elapsed time allows.
    /// - Parameter metresPerSecond: faster is a jump; 0 = nothing is.
    public mutating func isJump(to place: Coordinate, metresPerSecond: Int, now: MonotonicTime) -> Bool {
        defer { (self.place, askedAt) = (place, now) }
        guard let last = self.place else {
            beganAt = now
            return false
        }
        guard metresPerSecond > 0 else { return false }
        let slack = Double(metresPerSecond) * Self.slackSeconds
        let seconds = Double(now.microseconds(since: askedAt)) / 1e6
        let allowed = min(slackMetres ?? slack, slack) + seconds * Double(metresPerSecond)
        let left = allowed - last.distanceMetres(to: place)
        guard left >= 0 else {
            defer { isCorrected = true }
            return isCorrected || now - beganAt > Self.correctionMax
        }
        slackMetres = min(left, slack)
        return false
    }
}

extension Journey: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(place, slackMetres, isCorrected)
        encoder.put(moment: askedAt)
        encoder.put(moment: beganAt)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        (place, slackMetres, isCorrected) = (try decoder.get(), try decoder.get(), try decoder.get())
        askedAt = try decoder.moment()
        beganAt = try decoder.moment()
    }
}
