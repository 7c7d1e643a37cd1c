import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

@Suite("Quotas of questions")
struct QuotaQuestionTests {
    /// The question without any field; nil = there is none.
    private static func question<Asked: Command>(_ type: Asked.Type) -> (any Command)? {
        try? type.init(WireBody.decode(Asked.Body.self, from: []))
    }

    /// A quota counts questions that pass the account alone: all that it names do.
    @Test func questionsThatAQuotaCounts_passTheAccount() throws {
        let walker = Sender.make(7, scopes: [.members(of: .space(SpaceID(rawValue: 9)))])
        let quotas = Features.features.flatMap { $0.quotas } + [Features.looksAtRuns]
        let counted = quotas.flatMap { $0.commands }.filter { !$0.isChange }
        let questions = counted.compactMap { Self.question($0) }
        #expect(questions.count >= counted.count - 1, "a search asks for something")
        for question in questions { #expect(try question.home(for: walker, settings: .make()) == .account(.make(7))) }
    }
}
