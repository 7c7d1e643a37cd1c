/// The page of `cairn top` that says in words what is wrong and what was refused.
extension TopScreen {
    /// Lines of the page, for a terminal of this width: the alarms that are raised or not seen, then the reasons, the
    /// most frequent lately first.
    static func reasons(_ look: TopLook, width: Int) -> [String] {
        var lines = [look.totals.health?.line ?? ""]
        for alarm in look.alarms.alarms.reversed() where alarm.ended == nil || alarm.seenAt == nil {
            let ago = StatsText.duration(Double(max(0, look.alarms.at - alarm.began)) / 1_000)
            let amount = alarm.amount.map { " (\(StatsText.count($0)))" } ?? ""
            let end = alarm.ended.map { end in
                ", over after \(StatsText.duration(Double(max(0, end - alarm.began)) / 1_000))"
            }
            lines += ["", "\(alarm.text)\(amount): began \(ago) ago\(end ?? ", and lasts")"]
            lines.append("    \(alarm.remedy)" + (alarm.seenAt == nil ? "   (cairn stats seen \(alarm.alarm))" : ""))
        }
        lines += ["", "LAST MINUTE   SINCE START"]
        if look.reasons.reasons.isEmpty { lines.append("Nothing was refused since the start.") }
        for reason in look.reasons.reasons {
            let counts =
                StatsText.right(StatsText.count(reason.lately), 11)
                + StatsText.right(StatsText.count(reason.count), 14)
            lines.append("\(counts)   \(reason.reason), \(reason.outcome)")
            lines += [reason.meaning, reason.remedy].map { "    \($0)" }
        }
        return lines.flatMap { folded($0, width) }
    }

    /// A line in lines no longer than the width, which begin as far in as it does.
    private static func folded(_ line: String, _ width: Int) -> [String] {
        let margin = String(line.prefix { $0 == " " })
        var lines: [String] = []
        for word in line.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String((margin + word).prefix(width)))
            }
        }
        return lines
    }
}
