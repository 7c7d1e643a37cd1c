import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

@Suite("The audit log: what an entry says")
struct AuditRecordTests {
    private func entry(_ action: AuditRecord.Action, _ reason: String) -> AuditRecord {
        AuditRecord(
            id: AuditID(rawValue: 1), account: nil, author: .server, action: action, from: .general, to: .general,
            reason: reason, at: 1)
    }

    @Test(arguments: [
        AuditRecord.Action.instanceRemove, .tourImport, .tourWithdraw, .tourDelete, .purchaseRefund,
    ])
    func idOfWhatItIsAbout_isNoReason(_ action: AuditRecord.Action) {
        let (silent, spoken) = (entry(action, "06abc0000000a"), entry(action, "06abc0000000a A phone number"))
        #expect(silent.subject?.id == "06abc0000000a" && silent.words.isEmpty)
        #expect(spoken.subject?.id == "06abc0000000a" && spoken.words == "A phone number")
    }

    @Test func wordsThatLookLikeAnId_areTheReasonOfAnyOtherEntry() {
        for action in [AuditRecord.Action.kick, .suspend, .lookUp] {
            let kick = entry(action, "06abc0000000a was shouting")
            #expect(kick.subject == nil && kick.words == "06abc0000000a was shouting")
        }
        #expect(entry(.instanceRemove, "").subject == nil && entry(.instanceRemove, "").words.isEmpty)
    }

    @Test func entriesOfAThing_areThoseAboutIt_notThoseWhoseWordsNameIt() {
        var filter = AuditFilter()
        filter.subject = "06abc0000000a"
        #expect(filter.takes(entry(.instanceRemove, "06abc0000000a A phone number"), by: "Ada"))
        #expect(!filter.takes(entry(.instanceRemove, "06abc0000000b 06abc0000000a"), by: "Ada"))
        for action in [AuditRecord.Action.kick, .suspend, .lookUp] {
            #expect(!filter.takes(entry(action, "06abc0000000a is theirs"), by: "Ada"))
        }
        filter.subject = nil
        #expect(filter.takes(entry(.kick, "06abc0000000a is theirs"), by: "Ada"))
    }

    @Test func endOfASuspension_standsBeforeItsReason_andAlone() {
        let end = WallTime(milliseconds: 1_796_428_740_000)
        #expect(AuditRecord.reason(of: "Rain", until: end) == "until 2026-12-04 23:59:00 UTC: Rain")
        #expect(AuditRecord.reason(of: "", until: end) == "until 2026-12-04 23:59:00 UTC")
        #expect(AuditRecord.reason(of: "", until: nil).isEmpty)
    }
}
