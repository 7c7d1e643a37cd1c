/// Words and the app's own data on an instance (PLC-16). Others see both, exactly as they were given.
public struct Inscription: Hashable, Sendable {
    /// At most `Limits.text_characters` characters and `Limits.text_bytes` bytes of UTF-8. Nil: in an edit what is
    /// there stays, in a placement there is none. Empty: what is there is taken away.
    public var text: String?
    /// At most `Limits.data_bytes` bytes; nil and empty as in `text`.
    public var data: [UInt8]?

    public init(text: String? = nil, data: [UInt8]? = nil) {
        self.text = text
        self.data = data
    }
}
