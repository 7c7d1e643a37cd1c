/// The pace of all uploads of a world together: each chunk is paid for with time, in the order of arrival.
///
/// A client sends its next chunk when the one before is answered, so an answer that waits is all that it takes.
struct UploadPace: Sendable {
    /// Time that may be spent at once after a pause.
    static let burst = Duration.milliseconds(250)

    /// When everything so far is paid for.
    private var paidUntil: ContinuousClock.Instant?

    /// - Returns: when the answer to a chunk of so many bytes is due; in the past where there is no hurry.
    mutating func pay(
        _ bytes: Int, bytesPerSecond: Int, at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        let start = max(paidUntil ?? now - Self.burst, now - Self.burst)
        let end = start + .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(bytesPerSecond))
        paidUntil = end
        return end
    }
}
