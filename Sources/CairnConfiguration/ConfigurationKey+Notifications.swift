internal import CairnCore

/// Notifications (NTF-1, NTF-2).
extension ConfigurationKey {
    static let notifications: [SettingKey<Configuration>] = [
        .integer(
            "notifications.days", \.notifications.days, 1...3_650, unit: "days", .live,
            "How long a notification is kept, read or not."),
        .integer(
            "notifications.countMax", \.notifications.countMax, 64...100_000, unit: "notifications", .live,
            "Notifications of one account that are kept. Beyond it the oldest are deleted within seconds."),
    ]
}
