import CairnCore
import CairnWire
import Testing

@testable import CairnServer

/// The time of an edit is the version of a setting (PRF-9).
@Suite("Versions of settings")
struct SettingsRecordTests {
    private let now = WallTime(milliseconds: 1_795_000_000_000)
    private var record = SettingsRecord(account: AccountID(rawValue: 7))
    private let key = "display.theme"

    private func isStored(_ text: String, edited: Int64) -> Bool {
        record.values[key] == SettingsRecord.Value(text: text, edited: WallTime(milliseconds: edited))
    }

    @Test mutating func editsOfOneMillisecond_haveRisingVersions_inTheirOrder() {
        for (number, text) in ["dark", "light", "system"].enumerated() {
            record.edit(key, text, at: now, now: now)
            #expect(isStored(text, edited: now.milliseconds + Int64(number)))
        }
        // The clock has caught up.
        record.edit(key, "dark", at: now + .seconds(1), now: now + .seconds(1))
        #expect(isStored("dark", edited: now.milliseconds + 1_000))
    }

    @Test mutating func olderEdit_loses_alsoAgainstOneThatWasInHaste() {
        record.edit(key, "dark", at: now, now: now)
        record.edit(key, "light", at: now, now: now)
        record.edit(key, "system", at: now + .seconds(-60), now: now)
        #expect(isStored("light", edited: now.milliseconds + 1))
    }

    @Test mutating func editOfTwoDevicesAtOneTime_ofBefore_hasTheNextVersion() {
        let before = now + .seconds(-60)
        record.edit(key, "dark", at: before, now: now)
        record.edit(key, "light", at: before, now: now)
        #expect(isStored("light", edited: before.milliseconds + 1))
    }

    @Test mutating func clockThatWasAhead_isInNobodysWay() {
        let ahead = now + .seconds(86_400)
        record.edit(key, "dark", at: ahead, now: ahead)
        record.edit(key, "light", at: now, now: now)
        #expect(isStored("light", edited: ahead.milliseconds + 1))
    }
}
