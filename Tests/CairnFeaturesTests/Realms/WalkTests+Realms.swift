import CairnCore
import CairnTesting
import CairnWire
import Testing

extension WalkTests {
    /// TRT-6: nothing is changed of a sub-realm but who is in it.
    @Test mutating func whatASubRealmHas_isReadOnlyFromARun() throws {
        let (_, scope) = try start()
        let sender = Sender.make(7, scopes: [scope])
        let name = town.identifiers.name(of: RealmID(rawValue: 5))
        var (deleting, editing, taking) = (WireDeleteRealm(), WireEditRealm(), WireTakeOut())
        (deleting.realm, editing.realm, taking.realm) = (name, name, name)
        let changes: [WireClientMessage.OneOf_Body] = [
            .deleteRealm(deleting), .editRealm(editing), .takeOut(taking),
        ]
        for (number, body) in changes.enumerated() {
            #expect(try town.refusal(body, id: UInt32(2 + number), from: sender)?.code == .readOnlyTour)
        }
        var leaving = WireLeaveRealm()
        leaving.realm = name
        #expect(try town.refusal(.leaveRealm(leaving), id: 5, from: sender)?.code == .notFound)
    }
}
