/// An expectation of a test that was not met in time.
public struct BenchError: Error, CustomStringConvertible {
    public let description: String

    /// - Parameter description: what was expected, and what was found.
    public init(_ description: String) {
        self.description = description
    }
}
