import CairnTime
import Foundation
import Synchronization

@testable import CairnCredentials

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension PasswordHash.Cost {
    /// Takes well under a millisecond.
    static let cheap = make(64, 1)

    static func make(_ memoryKiB: Int, _ passes: Int) -> Self {
        guard let cost = Self(memoryKiB: memoryKiB, passes: passes, lanes: 1) else { fatalError("beyond the bounds") }
        return cost
    }
}

extension MonotonicTime {
    /// So many seconds after the epoch.
    static func at(_ seconds: Int64) -> Self { .epoch + .seconds(seconds) }
}

/// A desk's clock that holds the desk's thread at its next job until it is opened.
final class Gate: Sendable {
    private let turnstile = DispatchSemaphore(value: 0)
    private let reached = Atomic(false)

    /// Whether the desk has taken a job.
    var isReached: Bool { reached.load(ordering: .acquiring) }

    func open() { turnstile.signal() }

    func now() -> MonotonicTime {
        if getpriority(Int32(PRIO_PROCESS.rawValue), 0) >= QuietThread.niceness {
            reached.store(true, ordering: .releasing)
            turnstile.wait()
            turnstile.signal()
        }
        return .epoch
    }
}
