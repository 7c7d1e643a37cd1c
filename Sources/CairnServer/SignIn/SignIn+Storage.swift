internal import CairnConfiguration
internal import CairnCore

/// The tables of accounts and of what signs in to them.
extension SignIn {
    static let migrations = [
        AccountRecord.migration, TokenRecord.migration, AppIdentityRecord.migration, SkeletonRecord.migration,
        CredentialsRecord.migration, MailedCode.migration, FamiliarRecord.migration, ProviderIdentityRecord.migration,
        AccessRecord.migration, RecoveryRequest.migration,
        ProfileRecord.migration, ReservedName.migration, SettingsRecord.migration,
        AuditRecord.migration, NotificationDevice.migration, AssetRecord.migration, AssetUse.migration,
        UploadRecord.migration, DeletionRecord.migration, Organisation.migration,
    ]
    static let tables = [
        AccountRecord.table, TokenRecord.table, AppIdentityRecord.table, EndedAppToken.table, SkeletonRecord.table,
        CredentialsRecord.table, MailedCode.table, FamiliarRecord.table, ProviderIdentityRecord.table,
        AccessRecord.table, RecoveryRequest.table,
        ProfileRecord.table, ReservedName.table, SettingsRecord.table,
        AuditRecord.table, NotificationDevice.table, AssetRecord.table, AssetUse.table, UploadRecord.table,
        DeletionRecord.table, OrganisationMember.table, OrganisationRemovalWish.table, OrganisationRequestRecord.table,
        Organisation.table,
    ]

    func expiries(now: LastingTime) -> [Expiry] {
        TokenRecord.expiries(before: now - .seconds(accounts.tokenDays * 86_400)) + EndedAppToken.expiries(now: now)
            + MailedCode.expiries(now: now) + RecoveryRequest.expiries(before: now - mailLifetime)
            + FamiliarRecord.expiries(now: now)
            + ReservedName.expiries(now: now)
            + AccessRecord.expiries(before: undoLimit(now: now))
            + UploadRecord.expiries(before: now - .seconds(assets.uploadHours * 3_600))
            + AuditRecord.expiries(before: now - .seconds(accounts.auditDays * 86_400))
            + OrganisationRequestRecord.expiries(before: now - .seconds(accounts.auditDays * 86_400))
    }
}
