internal import CairnTime

/// How often and how fast people move.
extension PresenceBoard {
    /// Takes how the newest pose fits its person's rhythm; nil = the last change was no pose that others see.
    public mutating func takeArrival() -> PoseArrival? {
        defer { arrival = nil }
        return arrival
    }

    /// Expects a person to shift their poses, because they were asked to.
    public mutating func expectShift(in slot: UInt16, by duration: Duration) {
        slots[Int(slot)].rhythm.expectShift(by: duration)
    }

    /// Notes a sample's distance in time and space from the one before: it decides who is told of a person first in a
    /// crowd, and when the next pose is expected. Nothing finer than a square may follow from the order, so people who
    /// share no more are never fast (PRF-8).
    mutating func notePace(of slot: UInt16, to sample: PoseSample) {
        arrival = PoseArrival()
        guard let before = slots[Int(slot)].sample, sample.at > before.at else { return }
        arrival = slots[Int(slot)].rhythm.note(sample.at, after: before.at)
        arrival?.slot = slot
        let pause = sample.at - before.at
        slots[Int(slot)].pause = min(pause, Self.pauseMax)
        guard !slots[Int(slot)].isRough else { return }
        let metres = frame.roughDistanceMetres(from: before.coordinate, to: sample.coordinate)
        let speed = metres / (Double(pause.microseconds) / 1_000_000)
        slots[Int(slot)].isFast = speed > usualSpeed * 2
        usualSpeed += (speed - usualSpeed) / Self.speedsAveraged
    }

    /// A person whose samples come further apart counts as standing after one and a half of this.
    private static let pauseMax: Duration = .seconds(1)
    private static let speedsAveraged = 256.0
}
