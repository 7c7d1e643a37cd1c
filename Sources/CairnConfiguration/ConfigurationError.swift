/// An invalid configuration, with every problem that was found, a line each. The process exits with `exitCode`.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// `EX_CONFIG` of sysexits(3).
    public static let exitCode: Int32 = 78

    /// One line for each problem: the key, its value, and the values that it accepts.
    public let problems: [String]

    /// An error with these problems, of which there is at least one.
    public init(_ problems: [String]) {
        precondition(!problems.isEmpty, "a configuration error without a problem")
        self.problems = problems
    }

    /// A line for each problem.
    public var description: String {
        problems.map { "configuration: \($0)" }.joined(separator: "\n")
    }
}
