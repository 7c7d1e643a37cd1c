import CairnTime

@testable import CairnCrowd

/// Everything that its loop told a crowd in one run, and everything that the crowd sent. With the plan and the salt it
/// determines the run.
struct CrowdLog: Sendable {
    /// A call of the crowd as the loop's handler.
    enum Call: Sendable {
        case opened(Int)
        case received([UInt8], wireBytes: Int, on: Int)
        case closed(Int, code: UInt16, reason: String)
        case ticked
    }

    struct Entry: Sendable {
        let call: Call
        let at: MonotonicTime
        /// The loop's lag at that time.
        let lag: Duration
    }

    struct Message: Hashable, Sendable {
        let bot: Int
        let bytes: [UInt8]
    }

    /// When the crowd was made.
    let began: MonotonicTime
    var entries: [Entry] = []
    /// How late the latest tick was.
    var lateness: Duration = .zero
    /// What the crowd sent, in order.
    var sent: [Message] = []
}
