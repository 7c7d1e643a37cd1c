internal import CUnicode

/// A name as the user chose it, with the forms for comparison (ACC-1). Names are equal by UsernameCaseMapped of RFC
/// 8265, and are look-alikes if UTS 39 calls them confusable. The chosen form is displayed.
///
/// Any text gives a value, so that names from before a rule can be compared. `fault` says whether a new name is
/// allowed.
public struct Username: Hashable, Sendable {
    /// The name as the user chose it, which is displayed.
    public let text: String
    /// Two names with equal compared forms are the same name. The form is width-mapped, lower-case and normalized; for
    /// a text longer than `bytesMax` it is the text itself.
    public let compared: String

    /// UTF-8 bytes beyond which a text is compared without changes and is a look-alike of no other.
    public static let bytesMax = Int(CUNICODE_BYTES_MAX)

    /// The version of the tables and rules for skeletons. Stored skeletons of another version are computed again.
    public static var skeletonVersion: [Int64] { [skeletonRules, Int64(cunicode_version())] }

    /// Incremented with every change to `skeletons`.
    public static let skeletonRules: Int64 = 2

    /// The joiners of scripts (RFC 5892, A.1 and A.2). They are drawn as nothing: two names that differ in them alone
    /// look alike.
    static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Loads the tables of ICU (a megabyte, some milliseconds), so that the first name does not wait for them.
    public static func readTables() { _ = Username("A").skeletons }

    public init(_ text: String) {
        self.text = text
        compared = Self.form(of: text, cunicode_case_mapped) ?? text
    }

    /// Two names with a skeleton in common are look-alikes. A name has at most two: that of the displayed form,
    /// "PaypaI", and that of the compared form, "paypai". They differ because a capital I resembles another letter than
    /// a small i.
    ///
    /// None where the text is longer than `bytesMax`.
    public var skeletons: Set<String> {
        guard let picture = Self.picture(of: text) else { return [] }
        // Most names consist of small letters: both forms are the same and have one skeleton.
        let shown = Self.form(of: picture, cunicode_case_mapped).flatMap { small in
            small.utf8.elementsEqual(picture.utf8) ? picture : Self.picture(of: small)
        }
        let isSmall = compared.utf8.elementsEqual(text.utf8)
        let small = isSmall ? picture : Self.picture(of: compared)
        return Set([shown, small].compactMap(\.self).filter { !$0.isEmpty })
    }

    /// The skeleton of a text, without its joiners; nil = it is too long for one.
    private static func picture(of text: String) -> String? {
        guard text.unicodeScalars.contains(where: joiners.contains) else { return form(of: text, cunicode_skeleton) }
        let drawn = text.unicodeScalars.filter { !joiners.contains($0) }
        return form(of: String(String.UnicodeScalarView(drawn)), cunicode_skeleton)
    }

    /// A function of `CUnicode`: takes a text with its length and a buffer with its size, and returns the length of the
    /// result. It keeps neither pointer.
    private typealias Form = (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<CChar>?, Int32) -> Int32

    /// A text in another form; nil = it is too long for one.
    private static func form(of text: String, _ make: Form) -> String? {
        let count = text.utf8.count
        guard count <= bytesMax else { return nil }
        let room = Int(CUNICODE_OUT_BYTES)
        // Both buffers are borrowed for this call: ICU reads the text in place and writes the form into the second
        // buffer.
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { out in
            // Any memory may be read as chars.
            let written = out.baseAddress?.assumingMemoryBound(to: CChar.self)
            let length = text.withCString { make($0, Int32(count), written, Int32(room)) }
            return length < 0 ? nil : String(decoding: out[..<Int(length)], as: UTF8.self)
        }
    }
}
