import CairnClient
import CairnWire
import Testing

/// A device goes by the newest version of a setting, in whatever order it hears of them (PRF-9).
@Suite("Client: versions of settings")
struct SettingVersionTests {
    private static func item(_ value: String, edited: Int64) -> WireItem {
        var setting = WireSetting()
        (setting.key, setting.value, setting.edited) = ("display.theme", value, edited)
        var item = WireItem()
        item.settings.settings = [setting]
        return item
    }

    @Test func olderVersion_changesNothing_andIsNoEvent() {
        var script = Script.live()
        #expect(!script.receive(Self.item("light", edited: 1_002)).isEmpty)
        #expect(script.receive(Self.item("dark", edited: 1_001)).isEmpty)
        #expect(script.core.welcome?.settings.map(\.value) == ["light"])
        #expect(!script.receive(Self.item("system", edited: 1_003)).isEmpty)
        #expect(script.core.welcome?.settings.map(\.value) == ["system"])
    }
}
