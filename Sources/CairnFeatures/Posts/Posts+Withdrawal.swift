public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Posts {
    public static let withdrawal: Withdrawal? = Withdrawal(
        of: .post, whereabouts: { id, now in anybodys.about(integer(id.rawValue), .time(now)) },
        contents: { inCell.about(pseudonym(of: $0)) },
        count: count(of:now:),
        owned: { owner, page in
            ofOwner.about(integer(owner.rawValue), page.bound, .time(page.now), page.limit)
        },
        everywhere: { everywhere.about($0.bound, .time($0.now), $0.limit) },
        leaver: PostLog.author,
        record: { row throws(DamagedRow) in
            try rows.read(row) { row throws(ColumnFault) in try Post(row).record }
        },
        deletion: deletion)

    /// The score, and whether it hides the post (RCT-4).
    public static let totals: InstanceTotals? = InstanceTotals(
        of: .post, query: votes(on:),
        sum: { rows, settings, damage in
            let score = score(rows, into: &damage)
            return InstanceTotals.Sum(
                counts: ["score": Int(score)], isHidden: PostStanding(score: score, settings).isHidden)
        })

    private static let anybodys = rows.query("WHERE id = ? AND expires > ?")
    private static let everywhere = rows.query("WHERE id < ? AND expires > ? ORDER BY id DESC LIMIT ?")
    private static let ofOwner = rows.query(
        "WHERE owner = ? AND id < ? AND expires > ? ORDER BY id DESC LIMIT ?")
}
