/// The client's kind of app, as its `hello` names it: one of ours, or another app's own name, for which the rules of
/// `realm` apply.
package struct FrontEnd: Hashable, Sendable {
    package let name: String

    /// The name in figures for all apps that the settings do not name, so that clients cannot fill the figures with
    /// names.
    package static let other = "other"

    /// Nil unless it is 1 to 32 of a-z, 0-9, '-', '.' and '_'.
    package init?(_ name: String) {
        guard (1...32).contains(name.utf8.count), name.utf8.allSatisfy(Self.isPlain) else { return nil }
        self.name = name
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(byte)
        }
    }
}
