extension StatsSchema {
    static let feedback = [
        field("id", "id", "names the entry, for handle"),
        field("at", "milliseconds", "when it was written, since 1970-01-01 UTC"),
        field("category", "", "what it is about"),
        field("text", "", "what it says"),
        field("appVersion", "", "of the app; empty = not said"),
        field("rating", "1 to 5", "how good it is in all; null = not said"),
        field("intuitive", "1 to 5", "how intuitive it is; null = not said"),
        field("satisfying", "1 to 5", "how satisfying it is; null = not said"),
        field("undistracting", "1 to 5", "how little it distracts; null = not said"),
        field("handledAt", "milliseconds", "when it was marked as handled; null = it is open"),
    ]
}
