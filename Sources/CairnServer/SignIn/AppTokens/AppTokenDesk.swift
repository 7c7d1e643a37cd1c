internal import CairnCore
internal import Synchronization

/// Verifies signatures away from the loops, one after another: an RSA or P-256 signature costs some 100 us, which must
/// not delay messages. The queue is bounded; beyond the bound a client gets `try_again`.
actor AppTokenDesk {
    /// Tokens that may wait, over all connections: a tenth of a second of work.
    static let waitingMax = 1_000

    private nonisolated let waiting = Atomic(0)

    /// - Returns: nil when too many wait.
    nonisolated func judge(
        _ text: String, by tokens: AppTokens, now: WallTime
    ) async -> Result<AppTokens.Judgement, AppTokenFault>? {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax else { return nil }
        return await check(text, by: tokens, now: now)
    }

    private func check(
        _ text: String, by tokens: AppTokens, now: WallTime
    ) -> Result<AppTokens.Judgement, AppTokenFault> {
        do throws(AppTokenFault) {
            return .success(try tokens.judge(text, now: now))
        } catch {
            return .failure(error)
        }
    }
}
