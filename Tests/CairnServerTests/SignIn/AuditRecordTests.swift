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
}
