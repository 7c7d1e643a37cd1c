internal import CairnAssets
internal import CairnCore
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire
internal import Foundation

/// Everything that is held on a person, as one JSON file (CMP-2): an array of objects for each table, as the table says
/// it (`StoredTable.export`), and the content of the person's assets in base64. It is made while it goes out, a page of
/// rows or a piece of an asset at a time.
actor AccountExport {
    static let contentType = "application/json; charset=utf-8"

    private let account: AccountID
    private let signIn: SignIn
    /// As of the beginning.
    private var view: ExportView
    private let encoder = JSONEncoder()
    private var parts: [Part]
    private var step = Step.beginning

    /// A table of which the person gets something, and the columns with the account.
    private struct Part {
        let table: StoredTable
        var columns: [Int]
    }

    private enum Step {
        case beginning
        /// Rows of a table; `after` is the key of the last one, and `isFirst` whether none is written yet.
        case rows(Int, after: [SQLValue]?, isFirst: Bool)
        case assets(after: [SQLValue]?, [AssetRecord], isFirst: Bool)
        case content(SealedFile, Range<Int>, rest: [UInt8], after: [SQLValue]?, [AssetRecord])
        case done
    }

    init(of account: AccountID, by signIn: SignIn, tables: [StoredTable]) {
        self.account = account
        self.signIn = signIn
        view = ExportView(of: account, [], signIn.identifiers, signIn.names)
        parts = tables.compactMap { table in
            switch table.export {
            case .rows(let columns, _): Part(table: table, columns: columns)
            case .query: Part(table: table, columns: [])
            case .nothing, nil: nil
            }
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    private var key: SQLValue { .integer(Int64(bitPattern: account.rawValue)) }

    /// The next bytes; nil = that was all.
    func next() async throws -> [UInt8]? {
        switch step {
        case .beginning:
            let relations = signIn.relations(in: try await signIn.store.read([Relation.query(of: account)])[0])
            view = ExportView(of: account, relations, signIn.identifiers, signIn.names)
            step = .rows(0, after: nil, isFirst: true)
            let made = signIn.clock.now.milliseconds
            return bytes("{\"format\":\"cairn.export.1\",\"made\":\(made),\"held\":{")
        case .rows(let index, let after, let isFirst): return try await rows(index, after: after, isFirst: isFirst)
        case .assets(let after, let records, let isFirst):
            return try await asset(after: after, records, isFirst: isFirst)
        case .content(let file, let left, let rest, let after, let records):
            return try content(of: file, left, rest: rest, after: after, records)
        case .done: return nil
        }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Rows

    private func rows(_ index: Int, after: [SQLValue]?, isFirst: Bool) async throws -> [UInt8] {
        guard index < parts.count else {
            step = .assets(after: nil, [], isFirst: true)
            return bytes("},\"files\":[")
        }
        let part = parts[index]
        let isBeginning = after == nil && isFirst
        let opening = isBeginning ? "\(index == 0 ? "" : ",")\"\(part.table.name.text)\":[" : ""
        let (found, objects) = try await page(of: part, after: after)
        var text = opening
        for (number, object) in objects.enumerated() {
            if number > 0 || !isFirst { text += "," }
            text += String(decoding: try encoder.encode(ExportValue.object(object)), as: UTF8.self)
        }
        let stillFirst = isFirst && objects.isEmpty
        if let last = found.last, found.count == StoredTable.exportedAtOnce, !part.columns.isEmpty {
            // An empty beginning is told from the middle by the key.
            step = .rows(index, after: part.table.key(of: last), isFirst: stillFirst)
        } else if part.columns.count > 1 {
            parts[index].columns.removeFirst()
            step = .rows(index, after: [], isFirst: stillFirst)
        } else {
            text += "]"
            step = .rows(index + 1, after: nil, isFirst: true)
        }
        return bytes(text)
    }

    private func page(
        of part: Part, after: [SQLValue]?
    ) async throws -> (found: [Row], objects: [[String: ExportValue]]) {
        let query: Query
        let record: @Sendable (Row, ExportView) throws(ColumnFault) -> [String: ExportValue]?
        switch part.table.export {
        case .rows(_, let body):
            let key = after?.isEmpty == true ? nil : after
            query = part.table.page(with: self.key, in: part.columns[0], after: key)
            record = body
        case .query(let make, let body): (query, record) = (make(account), body)
        case .nothing, nil: return ([], [])
        }
        let rows = try await signIn.store.read([query])[0]
        var damage: [DamagedRow] = []
        let view = view
        let objects = rows.read(as: part.table, into: &damage) { row throws(ColumnFault) in try record(row, view) }
        // A value that cannot be opened cannot be exported.
        signIn.store.report(damage)
        return (rows, objects.compactMap { $0 })
    }

    // MARK: Assets

    private func asset(after: [SQLValue]?, _ records: [AssetRecord], isFirst: Bool) async throws -> [UInt8] {
        var (records, after) = (records, after)
        if records.isEmpty {
            let rows = try await signIn.store.read([AssetRecord.table.page(with: key, in: 1, after: after)])[0]
            records = rows.compactMap { try? AssetRecord($0) }
            guard let last = rows.last, !records.isEmpty else {
                step = .done
                return bytes("]}\n")
            }
            after = AssetRecord.table.key(of: last)
        }
        let record = records.removeFirst()
        guard let file = try? record.open(in: signIn.services.depot.folder) else {
            // Its file is damaged; `cairn verify` names it. The list of assets has it.
            step = .assets(after: after, records, isFirst: isFirst)
            return []
        }
        step = .content(file, 0..<record.length, rest: [], after: after, records)
        let name = signIn.identifiers.name(of: record.id)
        let type = record.type.contentType
        return bytes("\(isFirst ? "" : ",\n"){\"asset\":\"\(name)\",\"contentType\":\"\(type)\",\"base64\":\"")
    }

    /// Groups of three bytes become four letters, so the bytes that are over wait for the next piece.
    private func content(
        of file: SealedFile, _ left: Range<Int>, rest: [UInt8], after: [SQLValue]?, _ records: [AssetRecord]
    ) throws -> [UInt8] {
        guard !left.isEmpty else {
            step = .assets(after: after, records, isFirst: false)
            return bytes(Data(rest).base64EncodedString() + "\"}")
        }
        let piece = try file.beginning(of: left)
        let all = rest + piece
        let whole = all.count - all.count % 3
        step = .content(
            file, left.lowerBound + piece.count..<left.upperBound, rest: Array(all[whole...]), after: after, records)
        return bytes(Data(all[..<whole]).base64EncodedString())
    }
}

extension SignIn {
    /// The file with everything that is held on a person.
    func export(of account: AccountID) -> HTTPContent {
        let (signIn, tables) = (self, services.exportTables)
        return HTTPContent(
            contentType: AccountExport.contentType,
            headers: [
                "Cache-Control: private, no-store", "Content-Disposition: attachment; filename=\"cairn-export.json\"",
                "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            ]
        ) {
            let export = AccountExport(of: account, by: signIn, tables: tables)
            return ProducedBody { try await export.next() }
        }
    }
}
