internal import CairnCore

/// What people come near (PRX-1, PRX-2).
extension ConfigurationKey {
    static let nearby: [SettingKey<Configuration>] = [
        .number(
            "nearby.tourStartMetres", \.nearby.tourStartMetres, 0...200, unit: "metres", .live,
            "Live views tell of tours that begin within so many metres; they leave a fifth further away."),
        .number(
            "nearby.tourAreaMetres", \.nearby.tourAreaMetres, 0...1_000, unit: "metres", .live,
            "People who have switched it on are notified of tours whose area is within so many metres."),
    ]
}
