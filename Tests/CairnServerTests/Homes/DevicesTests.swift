import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// Who is there of a person, and which sessions can be taken over (SES-11).
@Suite("Devices") struct DevicesTests {
    private var devices = Devices()
    private let phone = Participant.make(1)
    private let tablet = Participant.make(2)

    private static func session(_ number: UInt64) -> SessionID { SessionID(rawValue: number) }

    @Test mutating func deviceThatSignsIn_isThereOnceAndHoldsItsSession() {
        devices.add(phone, holding: Self.session(1))
        devices.add(phone, holding: Self.session(1))
        #expect(devices.open == [phone] && devices.sessionCount == 1)
        #expect(devices.holder(of: Self.session(1)) == phone && devices.holder(of: Self.session(2)) == nil)
    }

    @Test mutating func deviceThatGoes_leavesASessionToTakeOver() {
        devices.add(phone, holding: Self.session(1))
        devices.close(phone)
        #expect(devices.open.isEmpty && !devices.isEmpty)
        devices.add(tablet, holding: Self.session(1))
        #expect(devices.holder(of: Self.session(1)) == tablet && devices.sessionCount == 1)
        devices.close(tablet)
        devices.endSessions { id, _ in id == Self.session(1) }
        #expect(devices.isEmpty)
    }

    @Test mutating func oldestCut_isTheLowestOfThoseThatNobodyHolds() {
        devices.add(phone, holding: Self.session(4))
        devices.add(tablet, holding: Self.session(3))
        devices.add(.make(3), holding: Self.session(2))
        devices.add(.make(4), holding: Self.session(1))
        #expect(devices.oldestCut == nil)
        devices.close(phone)
        devices.close(.make(3))
        #expect(devices.oldestCut?.id == Self.session(2) && devices.oldestCut?.holder == .make(3))
    }

    @Test mutating func sessions_endByTheirHolderToo() {
        devices.add(phone, holding: Self.session(1))
        devices.add(phone, holding: Self.session(2))
        devices.add(tablet, holding: Self.session(3))
        devices.endSessions { $1 == phone }
        #expect(devices.sessionCount == 1 && devices.holder(of: Self.session(3)) == tablet)
        #expect(devices.open == [phone, tablet])
    }
}
