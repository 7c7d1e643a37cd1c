import CairnCore
import CairnWire
import Testing

/// Who may send what (ROL-1, ROL-4).
@Suite("Roles")
struct RoleTests {
    @Test func adminAndGuest_areNotInTheWorld() {
        #expect(Role.allCases.filter(\.isInWorld) == [.general, .organisation])
    }

    @Test func refusal_namesTheRolesThatAreNeeded() {
        let refusal = Role.refusal(needing: Role.inWorld, component: "session")
        #expect(refusal.code == .forbidden && refusal.details == ["role": "general,organisation"])
    }
}
