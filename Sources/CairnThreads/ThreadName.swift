internal import Foundation

/// The name of a thread, as operators see it in `top -H` (proc(5)).
public enum ThreadName {
    /// Names the calling thread; one without a name works as well. The name that Foundation sets is lost now and then:
    /// it asks for the thread before the one that has started it has written it down.
    /// - Parameter name: at most 15 ASCII characters; more are cut off.
    public static func set(_ name: String) {
        try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
    }
}
