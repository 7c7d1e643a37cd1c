/// An error of the store: component, operation, cause and remedy.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors that callers distinguish.
    public enum Kind: Hashable, Sendable {
        /// Another process serves this database.
        case inUse
        /// File or directory cannot be written.
        case readOnly
        /// The file is no sound database. It was left as it is.
        case damaged
        /// A newer version of the server wrote the database (DAT-9). It was left as it is.
        case newerSchema
        /// The database holds tables, triggers or the like that no release of Cairn made. It was left as it is.
        case foreign
        /// The key has opened a world here before, but the database is missing: its disk may not be mounted. Nothing
        /// was created.
        case worldGone
        /// The database's file was removed or replaced while it was open.
        case moved
        /// The key is missing, wrong or unreadable, or the database was never sealed (DAT-7). It was left as it is.
        case key
        /// No room on the disk.
        case full
        /// Another process has the database locked for the moment.
        case busy
        /// The disk or the system refused.
        case io
        /// The database refuses the statement, whatever the disk does: a bug.
        case rejected
        /// A statement changed another number of rows than expected: the state that it depends on has changed.
        case overtaken
        /// A queue is at its bound; try again later (DAT-4: `storage_unavailable`).
        case overloaded
        /// The store is closed.
        case closed
    }

    public let kind: Kind
    /// The operation and its object.
    public let operation: String
    public let cause: String
    /// The remedy for operators.
    public let remedy: String
    /// The statement that failed; nil = the error belongs to no statement.
    var statement: String?

    public init(_ kind: Kind, operation: String, cause: String, remedy: String) {
        self.kind = kind
        self.operation = operation
        self.cause = cause
        self.remedy = remedy
    }

    public var component: String { "store" }

    public var description: String { "\(component): \(operation): \(cause); \(remedy)" }
}
