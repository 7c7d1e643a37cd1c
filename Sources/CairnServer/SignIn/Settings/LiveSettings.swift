internal import CairnCore
internal import CairnWire

/// The saved settings by which the person's connections go. Nil = no word about it.
struct LiveSettings: Sendable {
    var sharing = Sharing.Wish()
    /// Whether live views have instances (PRF-7).
    var showsObjects: Bool?
    /// Whether the person is told of tours nearby (PRX-1).
    var wantsTours: Bool?

    var isEmpty: Bool { sharing.isEmpty && showsObjects == nil && wantsTours == nil }

    /// The same, with what newer ones say.
    func updated(by newer: Self) -> Self {
        Self(
            sharing: sharing.updated(by: newer.sharing), showsObjects: newer.showsObjects ?? showsObjects,
            wantsTours: newer.wantsTours ?? wantsTours)
    }
}

extension [WireSetting] {
    /// The settings that affect open connections.
    var live: LiveSettings {
        func value(_ key: String) -> String? { first { $0.key == key }?.value }
        let sharing = Sharing.Wish(
            shares: value(UserSetting.sharesPosition).map { $0 == "on" },
            accuracy: value(UserSetting.accuracy).flatMap(LocationAccuracy.init))
        return LiveSettings(
            sharing: sharing, showsObjects: value(UserSetting.objects).map { $0 == "on" },
            wantsTours: value(NotificationKind.tourNearby.settingKey).map { $0 == "on" })
    }
}
