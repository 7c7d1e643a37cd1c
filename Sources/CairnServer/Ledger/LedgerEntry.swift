package import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire

/// An entry of the ledger: money that came in or went back (CMP-6).
///
/// It names no person: a purchase by its id, which stands for somebody only as long as their account exists. It is
/// written in the unit of what it is about, never changed and never deleted. Each entry holds the mark of the one
/// before and makes its own mark of that and its fields, so that nothing can be changed, left out or reordered unseen.
package struct LedgerEntry: Hashable, Sendable {
    /// Counts from 1, without a gap.
    package let number: Int64
    package let fields: Fields
    /// The mark of the entry before; of the first one, the world's.
    package let before: String
    /// SHA-256 of `before` and the fields, in hexadecimal.
    package let mark: String

    package enum Kind: String, Sendable {
        case purchase, refund
        /// Ad revenue, entered by an operator.
        case revenue
    }

    /// The contents of an entry before it has its number.
    package struct Fields: Hashable, Sendable {
        package let kind: Kind
        /// UTC, `2026-11-24`.
        package let day: String
        /// Below 0 for a refund.
        package let amount: Money
        /// The id of the purchase; the operator's reference of revenue.
        package let reference: String
        /// The sold tour, or the source of revenue.
        let subject: String
        /// The service that took the money: `payment`, or a store; empty for revenue.
        let provider: String
        /// The provider's name of the charge; empty for revenue.
        package let charge: String
        /// When it was written.
        package let written: WallTime

        package init(
            kind: Kind, day: String, amount: Money, reference: String, subject: String, provider: String = "",
            charge: String = "", written: WallTime
        ) {
            (self.kind, self.day, self.amount, self.reference) = (kind, day, amount, reference)
            (self.subject, self.provider, self.charge, self.written) = (subject, provider, charge, written)
        }

        /// In the order of the export and of the mark.
        fileprivate func columns(number: Int64) -> [String] {
            [
                "\(number)", day, kind.rawValue, "\(amount.cents)", amount.currency, reference, subject, provider,
                charge, "\(written.milliseconds)",
            ]
        }
    }

    init(number: Int64, _ fields: Fields, after before: String) {
        (self.number, self.fields, self.before) = (number, fields, before)
        mark = Self.mark(of: fields.columns(number: number), after: before)
    }

    /// The columns of `values`, for the head of an export.
    package static let columns = [
        "number", "day", "kind", "cents", "currency", "reference", "subject", "provider", "charge", "written",
        "before", "mark",
    ]

    /// All of it as texts.
    package var values: [String] { fields.columns(number: number) + [before, mark] }

    /// SHA-256 of the former mark and of each field as a netstring: its bytes in decimal, `:`, the bytes, `,`.
    private static func mark(of columns: [String], after before: String) -> String {
        var bytes = Array(before.utf8)
        for column in columns { bytes += Array("\(column.utf8.count):\(column),".utf8) }
        return Array(SHA256.hash(data: bytes)).hexadecimal
    }
}

// MARK: - Storage

extension LedgerEntry {
    private static let seal = Seal("ledger")
    private static let chargeSeal = Seal("ledger charge")

    static let migration = Migration(
        "ledger-1",
        """
        CREATE TABLE ledger (
            number INTEGER PRIMARY KEY, written INTEGER NOT NULL, charge BLOB UNIQUE, sealed BLOB NOT NULL
        ) STRICT
        """)

    /// A row's content is sealed. `charge` is a fingerprint: one charge of a provider is in the ledger once.
    static let table = StoredTable(
        "ledger", of: .world, columns: ["number", "written", "charge", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])], fingerprints: [2],
        chain: StoredTable.Chain(head: WorldRecord.ledgerHead, end: WorldRecord.ledgerEnd) {
            row throws(ColumnFault) in
            let entry = try LedgerEntry(stored: row)
            return StoredTable.Link(number: entry.number, before: entry.before, mark: entry.mark)
        },
        erasure: [.kept(because: "tax law wants purchases for six years; no row names a person (CMP-6)")],
        export: .nothing(because: "the purchases say it, and no row of it names a person")
    ) { row throws(ColumnFault) in
        let entry = try LedgerEntry(stored: row)
        return entry.fields.charge.isEmpty ? [] : [StoredTable.Derived(2, entry.fields.print)]
    }

    private static let newest = table.query("ORDER BY number DESC LIMIT 1")
    private static let behind = table.query("WHERE number > ? ORDER BY number LIMIT ?")
    private static let byCharge = table.query("WHERE charge = ?")

    /// Query for the last entry.
    static var last: Query { newest.about() }

    /// Query for entries behind a number, in order.
    static func query(after number: Int64, rowsMax: Int) -> Query {
        behind.about(.integer(number), .integer(Int64(rowsMax)))
    }

    /// Query for the entry of a charge.
    static func query(ofCharge charge: String, by provider: String) -> Query {
        byCharge.about(print(ofCharge: charge, by: provider))
    }

    /// Query for the entry of the refund of a charge.
    static func query(ofRefundOf charge: String, by provider: String) -> Query {
        byCharge.about(print(ofRefundOf: charge, by: provider))
    }

    /// Reads a row of a query.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try LedgerEntry(stored: row) }
    }

    private init(stored row: Row) throws(ColumnFault) {
        let number = try row.integer(0, in: 1...Int64.max)
        let written = try row.wallTime(1)
        let (fields, before, mark) = try row.within(3) { sealed throws(ColumnFault) in
            guard let kind = Kind(rawValue: try sealed.text(0)) else { throw ColumnFault(0, .outOfRange) }
            return (
                Fields(
                    kind: kind, day: try sealed.text(1),
                    amount: Money(cents: try sealed.integer(2), currency: try sealed.text(3)),
                    reference: try sealed.text(4), subject: try sealed.text(5), provider: try sealed.text(6),
                    charge: try sealed.text(7), written: written),
                try sealed.text(8), try sealed.text(9)
            )
        }
        self.init(number: number, fields, after: before)
        guard mark == self.mark else { throw ColumnFault(3, .disagrees) }
    }

    /// Fails when there is such a number or such a charge.
    var insertion: Statement {
        let charge = fields.charge.isEmpty ? SQLValue.null : fields.print
        let values: [SQLValue] = [
            .text(fields.kind.rawValue), .text(fields.day), .integer(fields.amount.cents),
            .text(fields.amount.currency), .text(fields.reference), .text(fields.subject), .text(fields.provider),
            .text(fields.charge), .text(before), .text(mark),
        ]
        let written = SQLValue.time(fields.written)
        return Statement(
            "INSERT OR IGNORE INTO ledger (number, written, charge, sealed) VALUES (?, ?, ?, ?)", .integer(number),
            written, charge, .sealed(values, Self.seal, row: number, bound: [written, charge]), changing: 1)
    }

    private static func print(ofCharge charge: String, by provider: String) -> SQLValue {
        .fingerprint("\(provider)\0\(charge)", chargeSeal)
    }

    fileprivate static func print(ofRefundOf charge: String, by provider: String) -> SQLValue {
        print(ofCharge: "refund \(charge)", by: provider)
    }
}

extension LedgerEntry.Fields {
    /// A refund is of the same charge.
    fileprivate var print: SQLValue {
        kind == .refund
            ? LedgerEntry.print(ofRefundOf: charge, by: provider) : LedgerEntry.print(ofCharge: charge, by: provider)
    }
}
