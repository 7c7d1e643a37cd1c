public import CairnConfiguration
internal import CairnCore
internal import CairnFeatures
internal import CairnOperators
internal import CairnServer
internal import CairnStore
internal import Foundation

/// What can be done with a world's storage from outside a server.
public enum StorageTools {
    /// The steps of a world whose features are these.
    static func migrations(of register: FeatureRegister = Features.register) -> [Migration] {
        WorldSchema.migrations(of: register)
    }

    /// What is in the tables that they make.
    static func tables(
        _ configuration: Configuration, of register: FeatureRegister = Features.register
    ) -> [StoredTable] {
        WorldSchema.tables(of: register, configuration)
    }

    private static func format(_ configuration: Configuration) -> StoreFormat {
        StoreFormat(migrations: migrations(), tables: tables(configuration))
    }

    /// The result of a command.
    public struct Outcome: Sendable {
        /// The text for the user, without a line's end.
        public let text: String
        /// False when something is damaged: in the file that was looked at, or in the copy that was written.
        public let isSound: Bool

        public init(text: String, isSound: Bool) {
            self.text = text
            self.isSound = isSound
        }
    }

    /// The process that has the world open: a server, or a command that changes it.
    /// - Returns: nil when none has, or when this user may not look.
    public static func holder(_ configuration: Configuration) -> Int32? {
        Store.holder(options: Store.Options(configuration))
    }

    /// Writes a verified backup, beside a running server too.
    /// - Parameter file: nil = the folder `backup.directory`.
    public static func backUp(_ configuration: Configuration, to file: String?) throws -> Outcome {
        let report = try Store.backUp(to: file, options: Store.Options(configuration), format: format(configuration))
        return Outcome(text: report.line, isSound: report.isSound)
    }

    /// Puts a backup in the place of the database. Refused under a running server.
    /// - Parameter evenUnsound: also when rows of the backup are damaged.
    public static func restore(_ configuration: Configuration, from file: String, evenUnsound: Bool) throws -> String {
        let report = try Store.restore(
            file, options: Store.Options(configuration), format: format(configuration), evenUnsound: evenUnsound)
        guard let kept = report.setAside else { return "\(file) is the world now" }
        return """
            \(file) is the world now; the database that was there is kept as \(kept)
            what changed from \(report.lostPeriod) is not in it
            """
    }

    /// Checks whether a database or a backup opens with the key, and every page, index and row of it.
    /// - Parameters:
    ///   - file: nil = the database itself.
    ///   - progress: called now and then with the progress in a few words.
    public static func verify(
        _ configuration: Configuration, file: String?, progress: @escaping @Sendable (String) -> Void
    ) throws -> Outcome {
        let options = Store.Options(configuration)
        let report = try Store.verify(
            file ?? options.path, options: options, format: format(configuration)
        ) { progress($0.line) }
        var lines = [report.text(tables(configuration))]
        if file == nil, let stray = complaint(aboutCredential: configuration) { lines.append(stray) }
        return Outcome(text: lines.joined(separator: "\n"), isSound: report.isSound && report.copyFaults.isEmpty)
    }

    /// What is wrong with the file of the operators' credential; nil = nothing, or it is set.
    static func complaint(aboutCredential configuration: Configuration) -> String? {
        guard configuration.stats.credential == nil, let folder = configuration.storage.path else { return nil }
        do throws(StatsError) {
            return try OperatorCredential.complaint(
                at: CredentialPlace(folder: folder, keyFile: configuration.storage.keyFile))
        } catch {
            return "stats.credential: \(error.operation): \(error.cause)"
        }
    }

    /// Puts back damaged rows from a backup. Refused under a running server.
    public static func repair(
        _ configuration: Configuration, from backup: String, progress: @escaping @Sendable (String) -> Void
    ) throws -> Outcome {
        let report = try Store.repair(
            from: backup, options: Store.Options(configuration), format: format(configuration)
        ) { progress($0.line) }
        guard let kept = report.kept else {
            return Outcome(text: "nothing to repair\n\(report.left.text(tables(configuration)))", isSound: true)
        }
        let rows = report.putBack.prefix(VerifyReport.shownMax).map { "  put back: \($0)" }
        let head =
            "\(report.putBack.count) rows put back, from second copies or \(backup); the file as it was: \(kept)"
        return Outcome(
            text: ([head] + rows + [report.left.text(tables(configuration))]).joined(separator: "\n"),
            isSound: report.left.isSound)
    }

    /// Takes the rows of the world as they are, after an operator has looked at what differs from what the server
    /// wrote. Refused under a running server.
    public static func accept(
        _ configuration: Configuration, progress: @escaping @Sendable (String) -> Void
    ) throws -> Outcome {
        let report = try Store.acceptRows(
            options: Store.Options(configuration), format: format(configuration)
        ) { progress($0.line) }
        let before = report.before
        var lines = before.unaccounted.map { "accepted: \($0.table): \($0.difference)" }
        if !before.copyFaults.isEmpty { lines.append("made anew: the second copies of rows") }
        if lines.isEmpty { lines = ["nothing to accept"] }
        lines += report.mended.prefix(VerifyReport.shownMax).map { "  made right by its second copy: \($0)" }
        lines.append(report.left.text(tables(configuration)))
        return Outcome(text: lines.joined(separator: "\n"), isSound: report.left.isSound)
    }

    /// Adds a master key, which takes over at the next start. Older backups open with the older ones.
    public static func rotateKey(_ configuration: Configuration) throws -> String {
        guard let path = configuration.storage.keyFile else { return "this world has no key file" }
        try KeyFile(path: path).rotate()
        return """
            \(path) has a new key, which takes over at the next start of the server
            the older keys stay in it for older backups; copy the file again to where its copy is
            """
    }
}

extension CheckProgress {
    fileprivate var line: String { rows == 0 ? "checking \(part)" : "checking \(part): \(rows) rows" }
}

extension VerifyReport {
    private static let whatToDo = [
        "  somebody or something changed these tables while no server had them; find out who can write the folder,",
        "  then restore a backup from before (cairn restore), or take the rows as they are (cairn verify --accept)",
    ]

    /// Findings that are shown; the first line has the number of all.
    fileprivate static let shownMax = 100

    /// With the rows of each table, and the kind of home that owns them.
    fileprivate func text(_ tables: [StoredTable]) -> String {
        let owners = Dictionary(tables.map { ($0.name.text, " (\($0.owner))") }) { first, _ in first }
        let state = isSound ? copyFaults.isEmpty ? "sound" : "sound but for second copies" : "NOT SOUND"
        var lines = ["\(state): \(path): \(pages) pages, \(rows) rows, opens with the key"]
        if !areRowsChecked {
            lines.append("  an older server wrote it: its rows are checked once this one has been started on it")
        }
        if damagedCount > 0 {
            lines.append("  \(damagedCount) damaged rows; a start puts those of accounts back,")
            lines.append("  cairn verify --repair BACKUP others as well")
        }
        lines += damaged.prefix(Self.shownMax).map { "  damaged: \($0)" }
        if !copyFaults.isEmpty {
            lines.append("  second copies (cairn_copies) are not as their rows; no row is lost by it:")
            lines.append("  \(remedyOfCopies)")
        }
        lines += copyFaults.named.prefix(Self.shownMax).map { "  copy: \($0)" }
        lines += copyFaults.findings.map { "  SQLite: \($0)" }
        lines += unaccounted.flatMap { $0.lines }
        lines += absent.prefix(Self.shownMax).flatMap { $0.lines }
        if !unaccounted.isEmpty || !absent.isEmpty { lines += Self.whatToDo }
        lines += structure.map { "  SQLite: \($0)" }
        if files > 0 { lines.append("  files \(files)") }
        if extraFiles > 0 { lines.append("  files that no row names \(extraFiles): the server deletes them in time") }
        lines += rowsPerTable.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)\(owners[$0.key] ?? "")" }
        return lines.joined(separator: "\n")
    }
}
