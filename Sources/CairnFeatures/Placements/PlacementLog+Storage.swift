internal import CairnCore

/// The log of placements, from which quotas were restored until the stored replies said their kind (decision 0035).
enum PlacementLog {
    static let migrations = [
        Migration(
            "placement-log-1",
            "CREATE TABLE placement_log (account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
            "CREATE INDEX placement_log_account ON placement_log (account, at)",
            "CREATE INDEX placement_log_at ON placement_log (at)"),
        // An entry's key is the id of its instance; before, SQLite chose a number (decision 0018).
        Migration(
            "placement-log-2",
            "CREATE TABLE log_by_id (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
            "INSERT INTO log_by_id (id, account, at) SELECT rowid, account, at FROM placement_log ORDER BY rowid",
            "DROP TABLE placement_log",
            "ALTER TABLE log_by_id RENAME TO placement_log",
            "CREATE INDEX placement_log_account ON placement_log (account, at)",
            "CREATE INDEX placement_log_at ON placement_log (at)"),
        // A placement and its answer have the same time. The statement uses no index, which could be damaged.
        Migration(
            "placement-log-3",
            """
            UPDATE kept_answers NOT INDEXED SET kind = 20
            WHERE (account, at) IN (SELECT account, at FROM placement_log NOT INDEXED)
            """,
            "DROP TABLE placement_log"),
    ]
}
