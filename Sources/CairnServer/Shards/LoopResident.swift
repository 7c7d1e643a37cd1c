internal import CairnWebSocket

/// An actor that lives on a loop, which is its executor.
protocol LoopResident: Actor {
    nonisolated var loop: WebSocketLoop { get }
}

extension LoopResident {
    /// Runs `body` on the actor at once. Traps on every thread but the loop's.
    ///
    /// As `assumeIsolated`, for what every request and every position passes. That one costs 1,400 instructions here: a
    /// loop's thread runs no task, so the runtime has to ask the executor where it is, and does so twice; and two
    /// closures are made, one that holds what `body` captures and one that erases its type. This `body` captures
    /// nothing: what it needs is the argument.
    @inline(__always)
    nonisolated func enter<Argument, Result>(
        with argument: Argument, _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        loop.preconditionOnLoop()
        // The same function but for the word `isolated`, whose meaning the line above has proven. Both are called in
        // one way; `assumeIsolated` casts so, too.
        return unsafeBitCast(IsolatedBody(run: body), to: EnteredBody<Self, Argument, Result>.self).run(self, argument)
    }
}

private struct IsolatedBody<Resident: Actor, Argument, Result> {
    let run: (isolated Resident, Argument) -> Result
}

private struct EnteredBody<Resident: Actor, Argument, Result> {
    let run: (Resident, Argument) -> Result
}
