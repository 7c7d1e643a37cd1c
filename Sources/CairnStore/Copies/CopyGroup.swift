/// Second copies that are looked at, and made anew, together.
enum CopyGroup: Hashable, Sendable {
    /// Those of the rows of a table that is kept twice.
    case rows(of: String)
    /// Those of tables that are not kept twice.
    case strays

    /// The name of their table, for messages.
    var table: String {
        switch self {
        case .rows(let table): table
        case .strays: "no table"
        }
    }
}
