public import CairnWire

/// The one bound of bytes of an answer with a list, and of a pushed item with one. Who makes the elements, and who
/// reads them, are different people: no maker decides how much a reader gets.
public enum ListBytes {
    /// Most bytes of the elements of one page, as binary protobuf. What a connection takes in has the same bound by
    /// default (`connections.messageBytesMax`).
    public static let max = 65_536
    /// Of the number and length before each element.
    private static let headBytes = 6

    /// How many of the elements have room on one page; one at least, or no page would follow it.
    public static func count(of elements: some Sequence<some WireMessage>) -> Int {
        var (count, bytes) = (0, 0)
        for element in elements {
            bytes += WireBody.encode(element).count + headBytes
            guard bytes <= max || count == 0 else { break }
            count += 1
        }
        return count
    }
}
