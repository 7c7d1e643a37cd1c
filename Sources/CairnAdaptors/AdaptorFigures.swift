internal import CairnTime

/// What one adaptor has done since the start, and what it does now.
package struct AdaptorFigures: Sendable {
    package var done: UInt64 = 0
    package var refused: UInt64 = 0
    /// By reason.
    package var failed: [AdaptorFailure: UInt64] = [:]
    /// Calls that wait.
    package var waiting = 0
    package var underWay = 0
    /// Starts of its process after the first.
    package var restarts: UInt64 = 0
    /// Lines that were nonsense, too long, or answers to calls that were not under way.
    package var strayLines: UInt64 = 0
    /// Whether calls can be served: its process runs, or it needs none.
    package var isUp = false
    /// When its process ended, was first to be started, or began to die at every start; it may run again. Nil = it
    /// needs none.
    var downSince: MonotonicTime?

    package init() {}

    /// Whether its process has been down for a minute.
    package var isDownLong: Bool {
        !isUp && downSince.map { MonotonicTime.now - $0 >= Self.downLong } ?? false
    }

    private static let downLong = Duration.seconds(60)

    mutating func count(_ outcome: AdaptorLine.Outcome) {
        switch outcome {
        case .success(.done): done += 1
        case .success(.refused): refused += 1
        case .failure(let failure): failed[failure, default: 0] += 1
        }
    }
}
