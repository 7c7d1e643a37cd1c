internal import CUnicode

/// A name as it was given, with the forms by which it is compared (ACC-1). Names are equal by UsernameCaseMapped of RFC
/// 8265 and look alike when UTS 39 calls them confusable. The name is shown as it was given.
///
/// Any text makes a value, so that names from before a rule can be compared; `fault` tells whether a new name is
/// allowed.
public struct Username: Hashable, Sendable {
    /// As it was given, and as it is shown.
    public let text: String
    /// Two names with the same of these are one: width-mapped, in small letters, normalized. The text itself where it
    /// is longer than `bytesMax`.
    public let compared: String

    /// UTF-8 bytes beyond which a text is compared as it is and looks like no other.
    public static let bytesMax = Int(CUNICODE_BYTES_MAX)

    /// Which tables and which rules of this type make skeletons. Those that another made are made anew.
    public static var skeletonVersion: [Int64] { [skeletonRules, Int64(cunicode_version())] }

    /// Goes up with every change to `skeletons`.
    public static let skeletonRules: Int64 = 1

    /// Reads the tables of ICU, which else the first name waits for: a megabyte, and some milliseconds.
    public static func readTables() { _ = Username("A").skeletons }

    public init(_ text: String) {
        self.text = text
        compared = Self.form(of: text, cunicode_case_mapped) ?? text
    }

    /// Two names that have one of these in common look alike. At most two: a name looks like what it shows, "PaypaI",
    /// and like what it is compared as, "paypai", and a capital I is the picture of another letter than a small one.
    ///
    /// None where the text is longer than `bytesMax`.
    public var skeletons: Set<String> {
        guard let picture = Self.form(of: text, cunicode_skeleton) else { return [] }
        // Most names are small letters: their skeletons are one, which is its own.
        let shown = Self.form(of: picture, cunicode_case_mapped).flatMap { small in
            small.utf8.elementsEqual(picture.utf8) ? picture : Self.form(of: small, cunicode_skeleton)
        }
        let isSmall = compared.utf8.elementsEqual(text.utf8)
        let small = isSmall ? picture : Self.form(of: compared, cunicode_skeleton)
        return Set([shown, small].compactMap(\.self).filter { !$0.isEmpty })
    }

    /// Text and its length in, room and its size out; returns the length of what was written. A function of `CUnicode`,
    /// which keeps neither pointer.
    private typealias Form = (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<CChar>?, Int32) -> Int32

    /// A text in another form; nil = it is too long for one.
    private static func form(of text: String, _ make: Form) -> String? {
        let count = text.utf8.count
        guard count <= bytesMax else { return nil }
        let room = Int(CUNICODE_OUT_BYTES)
        // For the length of this call: ICU reads the text where it stands, and writes where the form is read from.
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { out in
            // Bytes are chars, whatever they were before.
            let written = out.baseAddress?.assumingMemoryBound(to: CChar.self)
            let length = text.withCString { make($0, Int32(count), written, Int32(room)) }
            return length < 0 ? nil : String(decoding: out[..<Int(length)], as: UTF8.self)
        }
    }
}
