package import CairnCore

/// The sections of metrics of the runtime and the process; the store has its own.
extension MetricSection {
    package static let cell = MetricSection("cell", heading: "A cell")
    package static let space = MetricSection("space", heading: "A space (`spaces`)")
    package static let people = MetricSection("people", heading: "People (`people`, and in `totals`)")
    package static let rates = MetricSection(
        "rates", heading: "Rates (`totals.rates`)", preface: "Each is the growth a second.")
    package static let loops = MetricSection("loops", heading: "Loops (`loops`)")
    package static let process = MetricSection("process", heading: "Process (`totals.process`)")
    package static let refusals = MetricSection("refusals", heading: "Refusals (`refusals`)")
    package static let drops = MetricSection("drops", heading: "Drops (`drops`)")
    package static let items = MetricSection("items", heading: "Items (`queues`: `items`)")
    package static let messages = MetricSection("messages", heading: "Messages (`queues`: `messages`)")
    package static let requests = MetricSection("requests", heading: "Requests (`latency`: by kind)")
    package static let sessions = MetricSection("sessions", heading: "Sessions (`cell`, for admins)")
    package static let refused = MetricSection("refused", heading: "Refusals of a cell (`cell`)")
    package static let engagement = MetricSection(
        "engagement", heading: "Engagement (`engagement`: `total`, and by day in `days`)",
        preface: """
            Actions count when they are on disk. The counts are stored every five seconds; a crash loses at most \
            that. Active accounts are stored for 400 days, by a keyed pseudonym; the counts are kept.
            """)
}
