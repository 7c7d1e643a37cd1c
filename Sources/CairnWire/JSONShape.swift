/// Looks at the shape of a JSON text that a parser is about to read, as the envelope's own JSON is looked at.
public enum JSONShape {
    /// What is wrong with it: nesting beyond `depthMax`, more objects and arrays than `containersMax`, a name that
    /// comes twice in one object, of which each parser picks a different one (RFC 8259 4). Nil = none of these; it may
    /// be no JSON all the same. Linear in the bytes.
    public static func fault(in bytes: [UInt8], depthMax: Int, containersMax: Int) -> String? {
        bytes.withUnsafeBytes { bytes in
            JSONOutline(bytes, depthMax: depthMax, containersMax: containersMax).fault?.rawValue
        }
    }
}
