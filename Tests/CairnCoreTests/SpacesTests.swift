import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// What the core knows of spaces (SES-13).
@Suite("Core: spaces")
struct SpacesTests {
    private final class Content: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    @Test func contentOfOneName_isHeldOnce_andGoesWithItsLastHolder() {
        let contents = SharedContents()
        let name = SharedContents.Name(Content.self, 1, 2)
        var first: Content? = contents.shared(name, Content("a"))
        var second: Content? = contents.shared(name, Content("b"))
        #expect(first === second && contents.count == 1)
        (first, second) = (nil, nil)
        #expect(contents.count == 0)
        #expect(contents.shared(name, Content("c")).text == "c")
    }

    @Test func contentsThatWentAway_leaveNoNames() {
        let contents = SharedContents()
        for number in UInt64(0)..<1_000 {
            _ = contents.shared(SharedContents.Name(Content.self, number, 0), Content("x"))
        }
        #expect(contents.count == 0)
    }

    @Test func scopeOfASpace_isFollowedInNoCell() {
        let scope = Scope.members(of: .space(SpaceID(rawValue: 7)))
        #expect(scope.space == SpaceID(rawValue: 7) && !scope.isOverlay && !scope.isView)
        #expect(Scope.members(of: .realm(RealmID(rawValue: 7))).space == nil && Scope.everyone.space == nil)
        #expect(Sender.make(scopes: [scope, .absence(of: .make(9))]).space == SpaceID(rawValue: 7))
    }

    /// A space that has ended refuses with a hint to retry: the sender is back in the world by then.
    @Test func groundChange_inASpaceWithoutAnything_isToBeTriedAgain() throws {
        var town = TownBench()
        let sender = Sender.make(scopes: [.members(of: .space(SpaceID(rawValue: 7)))])
        let request = Request.make(.placing(), from: sender)
        let answer = try town.ask(request)
        #expect(answer.refusal?.code == .tryAgain)
        #expect(town.homes[.cell(Ground.here.cell)] == nil)
    }

    @Test func movementInAnEmptySpace_leadsToNothing() {
        var home = HomeBench.make(.space(SpaceID(rawValue: 7)))
        let actions = home.move(Movement(account: .make(), place: Ground.here.centre, accuracyMetres: nil, at: 0))
        #expect(actions.isEmpty && home.kept.isEmpty && home.pending.isEmpty)
    }
}
