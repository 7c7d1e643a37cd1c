internal import CairnCore

/// What people come near (PRX-1, PRX-2).
extension ConfigurationKey {
    static let nearby: [SettingKey<Configuration>] = [
        .number(
            "nearby.tourStartMetres", \.nearby.tourStartMetres, 0...200, unit: "metres", .live,
            "Distance from the start of a tour within which a live view shows the tour. The tour leaves the view a "
                + "fifth further away."),
        .number(
            "nearby.tourAreaMetres", \.nearby.tourAreaMetres, 0...1_000, unit: "metres", .live,
            "Distance from the area of a tour within which people who have switched it on are notified."),
    ]
}
