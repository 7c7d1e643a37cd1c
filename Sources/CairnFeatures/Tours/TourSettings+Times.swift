internal import CairnCore

extension TourSettings {
    private static let secondsMax = 31_536_000.0

    /// Time that a tour takes: the given one, else an estimate by its distance (TRM-3).
    func seconds(along metres: Double, given: UInt32) -> UInt32 {
        given > 0 ? given : UInt32(min((metres / self.metresPerSecond).rounded(), Self.secondsMax))
    }
}
