import Testing

/// A change comes out the same on every node that makes it.
@Suite("Tidy: statements")
struct StatementTests {
    private static let product = SourceTree.swift.filter {
        $0.target != nil && !["CairnCrowd", "cairn-crowd"].contains($0.target)
    }

    /// As the register's tables declare them: `StoredTable("name", of: .owner, columns: [...], key: [...]`, with an
    /// owner such as `.cell` or `.home(.realm)`.
    private static let lint: StatementLint = {
        var keys: [String: [String]] = [:]
        for file in product {
            let source = file.lines.map(\.text).joined(separator: "\n")
            let pattern = /StoredTable\(\s*"(\w+)", of: \.[\w.()]+,\s*columns: \[([^\]]*)\],\s*key: \[([^\]]*)\]/
            for match in source.matches(of: pattern) {
                let columns = match.output.2.matches(of: /"([^"]*)"/).map { String($0.output.1) }
                keys[String(match.output.1)] = match.output.3.split(separator: ",").compactMap { index in
                    Int(index.filter(\.isNumber)).map { columns[$0] }
                }
            }
        }
        return StatementLint(keys: keys)
    }()

    private static let statements = product.flatMap(SourceSQL.statements)

    @Test func tablesAndStatements_areFound() {
        #expect(Self.lint.keys["reactions"] == ["instance", "account"] && Self.lint.keys.count >= 13)
        #expect(Self.statements.count { $0.text?.hasPrefix("INSERT INTO instances") == true } == 1)
        #expect(Self.statements.count >= 30, "the way statements are written has changed; so must this test")
    }

    @Test func constantTexts_areLiterals() {
        let places = SourceTree.swift.flatMap { file in
            file.lines.filter { $0.code.contains("StaticText(" + "stringLiteral") }.map(file.place)
        }
        expectNone(places, "A text that is made when it runs may hold what a user wrote:")
    }

    @Test func everyStatement_isDeterministic() {
        let places = Self.statements.flatMap { statement in
            Self.lint.faults(in: statement.text ?? "").map { "\(statement.path): \($0)" }
        }
        expectNone(places, "A change would come out differently elsewhere:")
    }

    /// What is put together when it runs cannot be read here: the few that are stand in one place.
    @Test func everyStatement_isWrittenOut() {
        let places = Self.statements.filter { $0.text == nil && !Exceptions.composedStatements.keys.contains($0.path) }
        expectNone(places.map(\.path), "A statement is no text of the source:")
        let unneeded = Exceptions.composedStatements.keys.filter { path in
            !Self.statements.contains { $0.path == path && $0.text == nil }
        }
        expectNone(unneeded.sorted(), "An exception is no longer needed:")
    }

    @Test func steps_ofTheSchema_takeNothingFromTheMomentOrTheMachine() {
        let steps = Self.product.flatMap(SourceSQL.migrations)
        #expect(steps.contains { $0.text?.hasPrefix("CREATE TABLE instances") == true })
        let places = steps.flatMap { step in
            StatementLint.nativeFaults(in: step.text ?? "").map { "\(step.path): \($0)" }
        }
        expectNone(places, "A step of the schema would come out differently elsewhere:")
    }

    /// A `Listing` has a cursor, and an order that what it sorts by allows.
    @Test func pagesOfFeatures_areListings() {
        let places = Self.product.filter { ["CairnFeatures", "CairnOperators"].contains($0.target) }.flatMap { file in
            file.lines.filter { $0.text.contains("LIMIT ?") }.map(file.place)
        }
        expectNone(places, "A query that comes in pages is no Listing:")
    }

    @Test func noKey_isARowidThatSQLiteChooses() {
        expectNone(
            Self.lint.keys.filter { $0.value.contains { $0.lowercased() == "rowid" } }.keys.sorted(),
            "Rows are named by a number that SQLite chose:")
    }

    @Test(arguments: [
        "INSERT INTO instances (id, cell, created) VALUES (?, ?, unixepoch('subsec') * 1000)",
        "UPDATE feedback SET handled = CURRENT_TIMESTAMP WHERE id = ?",
        "UPDATE feedback SET handled = strftime('%s', 'now') WHERE id = ?",
        "INSERT INTO tokens (hash, account) VALUES (randomblob(16), ?)",
        "DELETE FROM instances WHERE id % 2 = abs(random()) % 2",
        "INSERT INTO instances (cell, owner) VALUES (?, ?)",
        "INSERT INTO instances VALUES (?, ?)",
        "INSERT OR REPLACE INTO reactions (instance, reaction) VALUES (?, ?)",
        "INSERT INTO instances (id, owner) VALUES (last_insert_rowid(), ?)",
        "DELETE FROM kept_answers WHERE at < ? LIMIT 25",
        "DELETE FROM kept_answers WHERE at < ? ORDER BY at LIMIT 25",
        "DELETE FROM reactions WHERE instance < ? ORDER BY instance LIMIT 5",
        "UPDATE feedback SET handled = 1 WHERE id IN (SELECT id FROM feedback WHERE handled IS NULL LIMIT 5)",
    ])
    func changeThatDiffersFromPlaceToPlace_isFound(_ sql: String) {
        #expect(Self.lint.faults(in: sql).count == 1)
    }

    @Test(arguments: [
        "DELETE FROM kept_answers WHERE at < ? ORDER BY at, id LIMIT ?",
        "DELETE FROM reactions WHERE instance < ? ORDER BY instance, account LIMIT 5",
        "UPDATE instances SET sealed = 'random() CURRENT_TIMESTAMP LIMIT' WHERE id = ?",
        "INSERT INTO engagement (day, what, count) VALUES (?, ?, ?) ON CONFLICT (day, what) DO NOTHING",
    ])
    func changeThatIsTheSameEverywhere_isNot(_ sql: String) {
        #expect(Self.lint.faults(in: sql).isEmpty)
    }
}
