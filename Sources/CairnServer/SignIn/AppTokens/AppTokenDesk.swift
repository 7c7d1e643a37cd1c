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
        await perform { Result { () throws(AppTokenFault) in try tokens.judge(text, now: now) } }
    }

    /// Judges a provider's token (ACC-7).
    /// - Returns: nil when too many wait.
    nonisolated func judge(
        _ text: String, of provider: String, nonce: String, by tokens: IDTokens, now: WallTime
    ) async -> Result<ProviderIdentity, IDTokenFault>? {
        await perform {
            Result { () throws(IDTokenFault) in try tokens.judge(text, of: provider, nonce: nonce, now: now) }
        }
    }

    private nonisolated func perform<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value? {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax else { return nil }
        return await inTurn(work)
    }

    private func inTurn<Value: Sendable>(_ work: @Sendable () -> Value) -> Value { work() }
}
