/// Checks the shape of a JSON text before a parser reads it, with the check that envelopes get.
public enum JSONShape {
    /// The fault: nesting beyond `depthMax`, more objects and arrays than `containersMax`, or a duplicate name in one
    /// object, of which different parsers choose different ones (RFC 8259 4). Nil = none of these; the text may still
    /// be invalid JSON. Linear in the bytes.
    public static func fault(in bytes: [UInt8], depthMax: Int, containersMax: Int) -> String? {
        bytes.withUnsafeBytes { bytes in
            JSONOutline(bytes, depthMax: depthMax, containersMax: containersMax).fault?.rawValue
        }
    }
}
