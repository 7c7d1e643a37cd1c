/// What a test waited for and did not get.
public struct BenchError: Error, CustomStringConvertible {
    public let description: String

    /// - Parameter description: what was expected, and what there was.
    public init(_ description: String) {
        self.description = description
    }
}
