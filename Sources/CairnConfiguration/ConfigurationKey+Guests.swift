internal import CairnCore

/// Guests who look (SES-14).
extension ConfigurationKey {
    static let guests: [SettingKey<Configuration>] = [
        .flag(
            "guests.look", \.guests.look, .live,
            "Whether people without an account see what is public around them, and nothing of anybody. Each person can "
                + "keep what they leave from them."),
        .integer(
            "guests.viewsPerAddress", \.guests.viewsPerAddress, 0...1_000_000, unit: "connections", .live,
            "Most guests of one network address (of an IPv6 /64) that look at once. Further ones get try_again. 0: "
                + "any number."),
        .integer(
            "guests.viewsMax", \.guests.viewsMax, 1...1_000_000, unit: "connections", .live,
            "Most guests that look at once. Further ones get try_again."),
        .integer(
            "guests.cellsPerMinutePerAddress", \.guests.cellsPerMinutePerAddress, 0...1_000_000, unit: "cells/min",
            .live,
            "Cells that come into the views of one address' guests in a minute, and at once. Further ones come when "
                + "there is room; a guest who would see nothing gets try_again. 0: any number."),
        .integer(
            "guests.cellsPerMinute", \.guests.cellsPerMinute, 1...10_000_000, unit: "cells/min", .live,
            "Cells that come into the views of all guests in a minute, and at once: each may have to be read from "
                + "the disk."),
        .integer(
            "guests.megabytesPerMinutePerAddress", \.guests.megabytesPerMinutePerAddress, 0...1_000_000,
            unit: "MB/min", .live,
            "What one address' guests are sent of the cells that come into their views in a minute, and at once. Then "
                + "no cell comes until as much time has passed. 0: any amount."),
        .integer(
            "guests.megabytesPerMinute", \.guests.megabytesPerMinute, 1...1_000_000, unit: "MB/min", .live,
            "The same of all guests."),
        .integer(
            "guests.questionsPerMinutePerAddress", \.guests.questionsPerMinutePerAddress, 0...1_000_000,
            unit: "requests/min", .live,
            "Requests for details and tours of one address' guests in a minute, and at once. Further ones get "
                + "rate_limited. 0: any number."),
        .integer(
            "guests.questionsPerMinute", \.guests.questionsPerMinute, 1...10_000_000, unit: "requests/min", .live,
            "The same of all guests."),
    ]
}

extension ConfigurationKey.Automatic {
    /// A world that is tried out is shown to everybody who comes.
    static let lookWhereOpened = Self(rule: "true with --demo or --open, else false") { configuration, _ in
        configuration.guests.look = configuration.isOpened
        return configuration.isOpened ? "asked for by --demo or --open" : "not asked for by --demo or --open"
    }
}
