internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A use of an asset: what keeps it from being collected. Whether somebody may see the asset is no question of this
/// table; the thing that uses it says that.
struct AssetUse: Sendable {
    /// What uses assets. A capability adds a case, and ends its uses with the things that they belong to.
    enum Kind: String, Sendable {
        /// The picture of a profile; the owner is the account (PRF-3).
        case profile
        /// A published version of a tour names the asset; the owner is the tour.
        case tour
        /// The draft of a tour names the asset.
        case tourDraft = "tour_draft"
    }

    let kind: Kind
    /// The number of the thing that uses it.
    let owner: UInt64

    /// The picture of an account's profile.
    static func profile(of account: AccountID) -> AssetUse { AssetUse(kind: .profile, owner: account.rawValue) }

    static let migration = Migration(
        "asset-uses-1",
        """
        CREATE TABLE asset_uses (
            kind TEXT NOT NULL, owner INTEGER NOT NULL, asset INTEGER NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
            PRIMARY KEY (kind, owner, asset)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX asset_uses_asset ON asset_uses (asset)")

    static let table = StoredTable(
        "asset_uses", of: .account, columns: ["kind", "owner", "asset"], key: [0, 1, 2],
        references: [StoredTable.Reference(2, to: "assets", "id")],
        erasure: [.with("assets")],
        export: .nothing(because: "the profile says which picture it shows")
    ) { row throws(ColumnFault) in
        guard Kind(rawValue: try row.text(0)) != nil else { throw ColumnFault(0, .outOfRange) }
        _ = (try row.integer(1), try row.integer(2))
        return []
    }

    private static let ofTour = Query(
        """
        SELECT kind FROM asset_uses
        WHERE owner = ? AND asset = ? AND (kind = 'tour' OR (kind = 'tour_draft' AND EXISTS (
            SELECT 1 FROM tours WHERE tours.id = asset_uses.owner AND organisation = ?)))
        """)

    /// Query for the uses of an asset by a tour that somebody may know of: by what is published, and by the draft for
    /// those who act for its organisation.
    static func query(_ asset: AssetID, by tour: TourID, for organisation: OrganisationID?) -> Query {
        func number<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
        return ofTour.about(number(tour), number(asset), organisation.map(number) ?? .null)
    }

    /// Whether rows of the query allow the asset to be seen.
    /// - Parameter isOffered: whether the tour is published now.
    static func admits(_ rows: [Row], isOffered: Bool) -> Bool {
        rows.contains { row in
            guard let text = try? row.text(0), let kind = Kind(rawValue: text) else { return false }
            return kind == .tourDraft || isOffered
        }
    }

    /// Ends the uses, and begins that of an asset of the account; fails when the asset is gone.
    func replacement(by asset: AssetID?, of account: AccountID) -> [Statement] {
        let (kind, owner) = (SQLValue.text(kind.rawValue), SQLValue.integer(Int64(bitPattern: owner)))
        let end = Statement("DELETE FROM asset_uses WHERE kind = ? AND owner = ?", kind, owner)
        guard let asset else { return [end] }
        return [
            end,
            Statement(
                """
                INSERT INTO asset_uses (kind, owner, asset) SELECT ?, ?, id FROM assets WHERE id = ? AND account = ?
                """, kind, owner, .integer(Int64(bitPattern: asset.rawValue)),
                .integer(Int64(bitPattern: account.rawValue)), changing: 1),
        ]
    }
}
