import CairnWire
import Testing

@testable import CairnServer

/// Settings that are saved whole (PRF-9), and batches of those that waited for a network (SYN-3).
@Suite("Server: saving settings")
struct SaveSettingsTests {
    private static func body(_ edits: [(key: String, value: String)], edited: Int64) -> WireSaveSettings {
        var body = WireSaveSettings()
        body.settings = edits.map { edit in
            var setting = WireSetting()
            (setting.key, setting.value, setting.edited) = (edit.key, edit.value, edited)
            return setting
        }
        return body
    }

    private static let mixed: [(key: String, value: String)] = [
        ("display.thema", "dark"), ("display.theme", "dark"), ("display.theme", "blue"), ("display.objects", "off"),
    ]

    @Test func changeWithoutATime_isSavedWholeOrNotAtAll() {
        let refusal = #expect(throws: Refusal.self) { try SaveSettings(Self.body(Self.mixed, edited: 0)) }
        #expect(refusal?.code == .invalidSetting && refusal?.details["key"] == "display.thema")
    }

    @Test func batch_keepsWhatCanBeSaved() throws {
        let batch = try SaveSettings(Self.body(Self.mixed, edited: 1_700_000_000_000))
        #expect(batch.edits.map(\.key) == ["display.theme", "display.objects"])
        #expect(batch.edits.map(\.value) == ["dark", "off"])
    }

    @Test func batchOfWhichNothingCanBeSaved_isRefused() {
        for edited in [1, -1] as [Int64] {
            let wrong = Self.body(edited < 0 ? Self.mixed : [Self.mixed[0], Self.mixed[2]], edited: edited)
            let refusal = #expect(throws: Refusal.self) { try SaveSettings(wrong) }
            #expect(refusal?.code == .invalidSetting)
        }
    }
}
