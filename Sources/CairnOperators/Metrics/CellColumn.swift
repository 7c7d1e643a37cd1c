internal import CairnCore
internal import CairnFeatures
internal import CairnLogging
internal import CairnServer

/// A column of the table of cells, as people see it in `cairn top` and in the console.
///
/// Made from the figures of a cell that have a heading: a feature's figure is a column by itself.
package struct CellColumn: Sendable {
    /// The figure's name on the stats socket.
    let name: String
    let title: String
    /// The word by which `cells` sorts by it.
    package let order: String
    /// The key of `cairn top` that sorts by it.
    package let key: Character
    let unit: String
    let meaning: String
    /// Whether it also stands where there is little room.
    let isBrief: Bool
    let value: @Sendable (CellRow) -> MetricValue

    /// The server's own, then those of features.
    package static let all = columns(of: CellRow.metrics(of: Features.register))

    /// What a list is sorted by unless the operator says otherwise.
    package static let first = "people"

    static func named(_ order: String) -> CellColumn? { all.first { $0.order == order } }

    static func columns(of metrics: [Metric<CellRow>]) -> [CellColumn] {
        var keys = Set(metrics.compactMap { $0.description.heading?.key }).union(reserved)
        return metrics.compactMap { metric in
            guard let heading = metric.description.heading, let member = metric.description.members.first else {
                return nil
            }
            // A figure without a key of its own gets the first letter of its word that no other has.
            let letters = heading.order + Self.letters
            guard let key = heading.key ?? letters.first(where: { !keys.contains($0) }) else { return nil }
            keys.insert(key)
            return CellColumn(
                name: "\(member.name)", title: heading.title, order: heading.order, key: key,
                unit: metric.description.unit.text, meaning: metric.description.meaning, isBrief: heading.isBrief,
                value: metric.value)
        }
    }

    /// `q` ends the program, `f` filters.
    private static let reserved: Set<Character> = ["q", "f"]
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    /// The rows with the most first. Equal ones, and all rows by a name, are in the order of their cells, so that lists
    /// do not jump.
    func sorted(_ rows: [CellRow]) -> [CellRow] {
        rows.map { (row: $0, amount: value($0).amount) }
            .sorted { $0.amount != $1.amount ? $0.amount > $1.amount : $0.row.cell < $1.row.cell }.map(\.row)
    }
}

extension JSONLine {
    mutating func describe(_ column: CellColumn) {
        member("name", column.name)
        member("title", column.title)
        member("order", column.order)
        member("key", String(column.key))
        member("unit", column.unit)
        member("meaning", column.meaning)
        member("brief", column.isBrief)
    }
}
