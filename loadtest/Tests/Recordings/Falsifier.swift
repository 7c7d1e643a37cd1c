/// Falsifies what a recorded server said, as a faulty server would have said it. Connections have the numbers of the
/// crowd's people.
protocol Falsifier: Sendable {
    /// The message that a connection gets in place of the original one; empty = none.
    mutating func change(_ message: [UInt8], on link: Int) -> [UInt8]
    /// A client sends this message.
    mutating func hear(_ message: [UInt8], from link: Int)
    /// Removes and returns the messages to send besides, each with its connection.
    mutating func takeStrays() -> [(link: Int, bytes: [UInt8])]
}
