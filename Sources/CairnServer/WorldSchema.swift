package import CairnConfiguration
package import CairnCore

/// The tables of a world: those of the runtime and those of the features that it is given.
package enum WorldSchema {
    package static func migrations(of register: FeatureRegister) -> [Migration] {
        SignIn.migrations + StoredReply.migrations + register.migrations + Engagement.migrations
            + WorldRecord.migrations + Suspensions.migrations + TimerRow.migrations + HeardMessage.migrations
            + OutboxEntry.migrations + StoredNotification.migrations + Relation.migrations
            + [
                Purchase.migration, Payment.migration, LedgerEntry.migration, Refund.migration, Purchase.tourMigration,
            ]
    }

    /// What is in the tables that they make.
    package static func tables(of register: FeatureRegister, _ configuration: Configuration) -> [StoredTable] {
        SignIn.tables + [StoredReply.table] + register.tables(settings: Settings(configuration)) + Engagement.tables
            + [
                WorldRecord.table, Suspensions.table, TimerRow.table, HeardMessage.table, OutboxEntry.table,
                StoredNotification.table, Relation.table, Purchase.table, Payment.table, LedgerEntry.table,
                Refund.table,
            ]
    }
}
