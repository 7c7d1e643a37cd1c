/// Where a rule does not hold, and why. The lists only get shorter: an entry that is no longer needed is a failure too.
enum Exceptions {
    /// Files over 400 lines, with the lines they have.
    static let longFiles: [String: Int] = [:]

    /// Tests that wait for time, by path, each with what they wait for and cannot be told about.
    static let sleepers: [String: String] = [:]

    /// Settings that only the configuration itself reads, each with what for.
    static let unreadSettings: [String: String] = [
        "listen.behindProxy": "decides what other settings may be: Configuration+Conflicts.swift"
    ]
}
