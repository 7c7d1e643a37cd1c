internal import CWebSockets
public import CairnTime

extension MonotonicTime {
    /// Reads the clock that all loops go by: CLOCK_MONOTONIC of the system.
    public static var now: MonotonicTime { MonotonicTime(microseconds: cws_now_us()) }
}
