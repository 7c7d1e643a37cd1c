/// A file outside the database that a row names. It is complete before its row is stored and never changes afterwards,
/// so a copy of it may be a hard link.
public struct StoredFile: Sendable {
    /// Where it is in the folder of files, with `/` between folders.
    public let path: String
    /// Reads the file at a path and says whether it is the whole file of the row. Blocks.
    public let isSound: @Sendable (_ path: String) -> Bool

    public init(path: String, isSound: @escaping @Sendable (_ path: String) -> Bool) {
        self.path = path
        self.isSound = isSound
    }
}
