import CairnCore
import CairnFeatures
import CairnWebSocket
import CairnWire
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: reasons in words")
struct OperatorReasonTests {
    private func codes(_ group: OperatorReason.Group) -> [String] {
        OperatorReason.all.filter { $0.group == group }.map(\.code)
    }

    /// Everything that can be counted by reason, from the types that count it.
    private static let counted: [OperatorReason.Group: Set<String>] = [
        .refusals: Set(Features.register.refusals.map(\.rawValue)),
        .closures: Set(Closure.all.map(\.name)),
        .transport: Set(TransportRejection.allCases.map { "\($0)" }),
        .drops: Set(MetricsRegistry.members(of: .drops).map { "\($0.name)" }),
        .guestsRefused: Set(GuestViews.Shortage.allCases.map(\.rawValue)),
        .operators: Set(OperatorFigures.Reason.allCases.map(\.rawValue)),
        .doors: Set(RequestDoor.Reason.allCases.map(\.rawValue)),
    ]

    @Test(arguments: OperatorReason.Group.allCases)
    func everyReasonThatCanBeCounted_isExplained_andNoOther(_ group: OperatorReason.Group) {
        let explained = codes(group)
        #expect(Set(explained).count == explained.count, "\(group) explains one twice")
        #expect(Set(explained) == Self.counted[group], "\(group)")
    }

    /// What a command answers by reason has a group here: another one would be without words.
    @Test func everyMemberOfRefusals_isAGroup() {
        let members = MetricsRegistry.members(of: .refusals).map { "\($0.name)" }
        #expect(Set(members + ["drops"]) == Set(OperatorReason.Group.allCases.map(\.rawValue)))
    }

    @Test func reasons_sayWhatTheyMeanAndWhatToDo_inSentences() {
        for reason in OperatorReason.all {
            for text in [reason.meaning, reason.remedy] {
                #expect(text.count > 5 && text.hasSuffix(".") && text.first?.isUppercase == true, "\(reason.code)")
            }
        }
    }

    @Test func counted_listsTheMostFrequentOfTheLastMinuteFirst() {
        var (counts, lately) = (OperatorReason.all.map { _ in UInt64(0) }, OperatorReason.all.map { _ in UInt64(0) })
        (counts[0], counts[3], counts[5]) = (100, 7, 9)
        lately[3] = 2
        let listed = CountedReason.of(counts, lately: lately)
        #expect(listed.map(\.reason.code) == [3, 0, 5].map { OperatorReason.all[$0].code })
        #expect(listed.map(\.lately) == [2, 0, 0])
    }
}
