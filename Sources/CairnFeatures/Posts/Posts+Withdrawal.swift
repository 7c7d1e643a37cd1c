public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Posts {
    public static let withdrawal: Withdrawal? = Withdrawal(
        of: .post, whereabouts: { id, now in anybodys.about(integer(id.rawValue), .time(now)) },
        contents: { inCell.about(pseudonym(of: $0)) },
        count: count(of:now:),
        owned: { owner, page in
            own.page(integer(owner.rawValue), .time(page.now), after: page.place, count: page.count)
        },
        everywhere: { everywhere.page(.time($0.now), after: $0.place, count: $0.count) },
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
    private static let everywhere = Listing(rows, by: [.above(4)], descending: true)
}
