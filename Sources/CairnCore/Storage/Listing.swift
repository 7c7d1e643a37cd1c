internal import CairnText
internal import CairnWire

/// A list of a table's rows that is read page by page. A feature declares it once (`Feature.listings`): the columns by
/// which rows are filtered, and the columns by which they are sorted.
///
/// A page begins after the place of the last row of the page before. Rows that are inserted or deleted between two
/// pages move no other row: one that keeps its place is on exactly one page. An index leads to the page, and no row
/// before it is read. The query goes to the store, on a reader's thread (`Effect.ask`), so no home needs to be awake
/// but the one that asks.
public struct Listing: Sendable {
    /// A condition on rows. Columns have the table's numbers. Each filter takes one argument of a page.
    public enum Filter: Hashable, Sendable {
        /// The column has the argument's value.
        case equal(Int)
        /// The column is greater than the argument.
        case above(Int)
        /// The column has the argument's value; NULL = any value.
        case equalIfAny(Int)
        /// The column is NULL for 1, and is not for 0; NULL = either.
        case absentIfAny(Int)

        var column: Int {
            switch self {
            case .equal(let column), .above(let column), .equalIfAny(let column), .absentIfAny(let column): column
            }
        }

        fileprivate func condition(on name: StaticText) -> StaticText {
            switch self {
            case .equal, .equalIfAny: StaticText(joining: [name, " = ?"])
            case .above: StaticText(joining: [name, " > ?"])
            case .absentIfAny: StaticText(joining: ["(", name, " IS NULL) = ?"])
            }
        }

        fileprivate var isOptional: Bool {
            switch self {
            case .equal, .above: false
            case .equalIfAny, .absentIfAny: true
            }
        }
    }

    public let table: StoredTable
    public let filters: [Filter]
    /// The columns of a row's place: those of the sorting, and the key.
    public let places: [Int]
    public let isDescending: Bool
    private let selection: StaticText
    private let conditions: [StaticText]
    private let order: StaticText

    /// - Parameters:
    ///   - filters: in the order of a page's arguments.
    ///   - sorting: integer columns: times, counts, scores. The key is added as the last one.
    ///   - computed: an expression behind the table's columns, for instance a sum over another table.
    public init(
        _ table: StoredTable, by filters: [Filter], sortedBy sorting: [Int] = [], descending isDescending: Bool,
        with computed: [StaticText] = []
    ) {
        self.table = table
        self.filters = filters
        self.isDescending = isDescending
        places = sorting + table.key.filter { !sorting.contains($0) }
        let names = table.columns
        func name(_ column: Int) -> StaticText { names.indices.contains(column) ? names[column] : "?" }
        selection = StaticText(joining: [
            "SELECT ", StaticText(joining: names + computed, by: ", "), " FROM ", table.name, " WHERE ",
        ])
        conditions = filters.map { $0.condition(on: name($0.column)) }
        let direction: StaticText = isDescending ? " DESC" : ""
        order = StaticText(joining: [
            " ORDER BY ", StaticText(joining: places.map { StaticText(joining: [name($0), direction]) }, by: ", "),
            " LIMIT ?",
        ])
    }

    /// The faults of the declaration; empty = valid. The register traps at start for a listing with faults.
    ///
    /// Sealed columns can be neither filtered nor sorted, because equal values are stored differently and have no
    /// order. A fingerprint can be filtered by its whole value and has no order.
    public var faults: [String] {
        var faults: [String] = []
        let sealed = Set(table.openings.map(\.column))
        for column in Set(filters.map(\.column) + places).sorted() {
            guard table.columns.indices.contains(column) else {
                faults.append("\(table.name.text) has no column \(column)")
                continue
            }
            if sealed.contains(column) { faults.append("\(name(column)) is sealed: nothing is found or sorted by it") }
        }
        for filter in filters where table.fingerprints.contains(filter.column) {
            if case .above = filter { faults.append("\(name(filter.column)) is a fingerprint, which has no order") }
        }
        for column in places where table.fingerprints.contains(column) {
            faults.append("\(name(column)) is a fingerprint, which has no order")
        }
        if table.key.count != 1 { faults.append("\(table.name.text) has no key of one column, which ends a place") }
        return faults
    }

    private func name(_ column: Int) -> String { "\(table.name.text).\(table.columns[column].text)" }

    /// Query for the rows of one page, and one more row if there is another page: `cut` separates them.
    /// - Parameters:
    ///   - arguments: one value for each filter.
    ///   - place: the place of the last row of the page before; nil = the first page.
    ///   - count: rows of the page, 1 to `countMax`.
    public func page(_ arguments: SQLValue..., after place: ListPlace? = nil, count: Int) -> Query {
        precondition(arguments.count == filters.count, "\(table.name.text): one argument for each filter")
        precondition((1...Self.countMax).contains(count), "\(table.name.text): a page of \(count) rows")
        var conditions: [StaticText] = []
        var values: [SQLValue] = []
        for (index, filter) in filters.enumerated() where !filter.isOptional || arguments[index] != .null {
            conditions.append(self.conditions[index])
            values.append(arguments[index])
        }
        if let place {
            precondition(place.values.count == places.count, "\(table.name.text): a place of another listing")
            conditions.append(isBehind)
            values += place.values.map(SQLValue.integer)
        }
        if conditions.isEmpty { conditions.append("1") }
        return Query(
            StaticText(joining: [selection, StaticText(joining: conditions, by: " AND "), order]),
            arguments: values + [.integer(Int64(count) + 1)], opening: table.openings)
    }

    /// Most rows of a page.
    public static let countMax = 200

    private var isBehind: StaticText {
        let columns = StaticText(joining: places.map { table.columns[$0] }, by: ", ")
        let marks = StaticText(joining: places.map { _ in "?" }, by: ", ")
        return StaticText(joining: ["(", columns, isDescending ? ") < (" : ") > (", marks, ")"])
    }

    /// Splits the answer to `page` into the rows of the page and the place at which the next one begins.
    /// - Returns: no place = this is the last page.
    public func cut(_ rows: [Row], count: Int) -> (rows: ArraySlice<Row>, next: ListPlace?) {
        let page = rows.prefix(count)
        guard rows.count > count, let last = page.last else { return (page, nil) }
        // A place consists of columns in the clear, which SQLite has sorted. A damaged one ends the list.
        return (page, try? ListPlace(places.map { column throws(ColumnFault) in try last.integer(column) }))
    }
}

/// The place of an entry in a sorted list: the values of the sorting and, last, the unique id.
public struct ListPlace: Hashable, Comparable, Sendable {
    public let values: [Int64]

    public init(_ values: [Int64]) {
        self.values = values
    }

    public static func < (a: ListPlace, b: ListPlace) -> Bool { a.values.lexicographicallyPrecedes(b.values) }
}

extension Sequence {
    /// A page of entries in memory, in the same order as the pages of a descending `Listing`. Of a long list only the
    /// first entries are kept and sorted.
    /// - Parameters:
    ///   - last: place of the last entry of the page before; nil = the first page.
    ///   - count: most entries of the page; `.max` = all.
    ///   - place: returns the place of an entry: a `ListPlace`, or what has the same order.
    /// - Returns: no next place = this is the last page.
    public func page<Place: Comparable>(
        after last: Place?, count: Int, by place: (Element) -> Place
    ) -> (entries: [Element], next: Place?) {
        // One entry more than the page has, to know whether another page follows. The bound keeps `2 * keptMax` below
        // the greatest integer.
        let keptMax = Swift.min(count, Int.max / 2 - 1) + 1
        var listed: [(place: Place, entry: Element)] = []
        var worst: Place?
        func cut() {
            listed.sort { $0.place > $1.place }
            if listed.count > keptMax { listed.removeSubrange(keptMax...) }
            if listed.count == keptMax { worst = listed.last?.place }
        }
        for entry in self {
            let rank = place(entry)
            if let last, rank >= last { continue }
            if let worst, rank <= worst { continue }
            listed.append((rank, entry))
            // Sorting so many at a time costs less for each entry than sorting the whole list.
            if listed.count >= 2 * keptMax { cut() }
        }
        cut()
        let page = listed.prefix(count)
        return (page.map(\.entry), listed.count > count ? page.last?.place : nil)
    }
}

extension Turn {
    /// A place in a list of instances as a cursor for clients: the values of the sorting, and the instance.
    public func name(of place: ListPlace) -> String {
        let id = place.values.last.map { name(of: InstanceID(rawValue: UInt64(bitPattern: $0))) } ?? ""
        return (place.values.dropLast().map(String.init) + [id]).joined(separator: ":")
    }

    /// The place that a cursor names. `count` is the number of values that the list sorts by before the id. nil = no
    /// such cursor.
    public func place(named name: String, sortedBy count: Int) -> ListPlace? {
        let parts = name.pieces(at: ":", omittingEmptySubsequences: false)
        guard parts.count == count + 1, let id = instance(named: String(parts[count])) else { return nil }
        var values = parts.dropLast().compactMap { Int64($0) }
        guard values.count == count else { return nil }
        values.append(Int64(bitPattern: id.rawValue))
        return ListPlace(values)
    }
}
