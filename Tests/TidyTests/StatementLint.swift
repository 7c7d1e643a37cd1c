/// What keeps a change from coming out the same wherever it is made: on every node, now or when it is played again.
struct StatementLint {
    /// The columns that name a row, of each table.
    let keys: [String: [String]]

    /// What is wrong with one SQL statement that changes something; empty = it is deterministic.
    func faults(in sql: String) -> [String] {
        Self.nativeFaults(in: sql) + insertFaults(in: sql) + limitFaults(in: sql)
    }

    /// Functions and words whose value is the moment's, the machine's or the connection's.
    static func nativeFaults(in sql: String) -> [String] {
        let clock: Set = [
            "current_time", "current_date", "current_timestamp", "date", "time", "datetime", "julianday", "unixepoch",
            "strftime", "timediff",
        ]
        let others: Set = ["random", "randomblob", "last_insert_rowid", "changes", "total_changes", "sqlite_version"]
        return words(of: sql).enumerated().compactMap { index, word in
            let isCalled = words(of: sql).dropFirst(index + 1).first == "("
            let lowered = word.lowercased()
            if clock.contains(lowered), isCalled || lowered.hasPrefix("current_") {
                return "the clock of SQLite: \(word)"
            }
            return others.contains(lowered) && isCalled ? "\(word)() differs from place to place" : nil
        }
    }

    /// A row whose number SQLite chooses has another number elsewhere.
    private func insertFaults(in sql: String) -> [String] {
        let words = Self.words(of: sql)
        guard let into = words.firstIndex(where: { $0.uppercased() == "INTO" }), words.count > into + 2,
            ["INSERT", "REPLACE"].contains(words[0].uppercased())
        else { return [] }
        let table = words[into + 1]
        guard words[into + 2] == "(", let close = words[into...].firstIndex(of: ")") else {
            return ["INSERT INTO \(table) does not name its columns"]
        }
        guard let key = keys[table] else { return ["\(table) is no stored table"] }
        let missing = key.filter { !words[(into + 3)..<close].contains($0) }
        return missing.map { "INSERT INTO \(table) gives no \($0)" }
    }

    /// Which rows a LIMIT lets through is SQLite's affair, unless the rows are in a total order.
    private func limitFaults(in sql: String) -> [String] {
        let words = Self.words(of: sql)
        guard let limit = words.firstIndex(where: { $0.uppercased() == "LIMIT" }) else { return [] }
        guard let order = words[..<limit].lastIndex(where: { $0.uppercased() == "ORDER" }) else {
            return ["LIMIT without ORDER BY"]
        }
        guard let from = words[..<order].lastIndex(where: { ["FROM", "UPDATE"].contains($0.uppercased()) }),
            let key = keys[words[from + 1]]
        else { return ["LIMIT of no stored table"] }
        return key.filter { !words[order..<limit].contains($0) }.map {
            "LIMIT in an order that does not end with \($0)"
        }
    }

    /// Names, numbers and signs; strings are left out.
    private static func words(of sql: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isString = false
        for character in sql {
            if character == "'" { isString.toggle() }
            if !isString, character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if !word.isEmpty { words.append(word) }
            word = ""
            if !isString, !character.isWhitespace { words.append(String(character)) }
        }
        return word.isEmpty ? words : words + [word]
    }
}

/// SQL as it stands in the source.
struct SourceSQL {
    let path: String
    /// As it would reach SQLite; nil = it is put together when it runs.
    let text: String?

    /// The text of every `Statement` that the source makes.
    static func statements(in file: SourceFile) -> [SourceSQL] {
        let source = file.lines.filter { !$0.hasComment || !$0.code.allSatisfy(\.isWhitespace) }.map(\.text).joined(
            separator: "\n")
        let call = /\bStatement\(\s*(?:"{3}(?<long>[\s\S]*?)"{3}|"(?<short>(?:[^"\\]|\\.)*)"|[^\s\)])/
        return source.matches(of: call).map {
            SourceSQL(path: file.path, text: ($0.output.long ?? $0.output.short).map(String.init))
        }
    }

    /// The texts of every step of the schema.
    static func migrations(in file: SourceFile) -> [SourceSQL] {
        let source = file.lines.map(\.text).joined(separator: "\n")
        return source.matches(of: /(?:"{3}\s*|")((?:CREATE|ALTER|DROP|INSERT|UPDATE|DELETE)\s[^"]*)"/).map {
            SourceSQL(path: file.path, text: String($0.output.1))
        }
    }
}
