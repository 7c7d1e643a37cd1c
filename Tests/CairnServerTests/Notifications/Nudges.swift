import CairnCore
import CairnTesting
import CairnWire

/// Homes that notify somebody: a feature that only tests have.
enum Nudges: Feature {
    static let name = "nudges"
    static let commands: [any Command.Type] = []
    static let messages: [any HomeMessage.Type] = [Nudge.self]
    static let migrations: [Migration] = []
    static let register = FeatureRegister([Nudges.self])

    static func tables(settings: Settings) -> [StoredTable] { [] }
}

/// Has the receiving home notify somebody.
struct Nudge: HomeMessage {
    static let kind: StaticText = "nudges.nudge"
    let draft: Notification.Draft

    init(
        _ recipient: AccountID, _ kind: NotificationKind = .friendRequest, by person: AccountID? = nil,
        label: String = ""
    ) {
        draft = Notification.Draft(to: recipient, kind: kind, person: person, label: label)
    }

    init(payload: [UInt8], register: FeatureRegister) { self.init(AccountID(rawValue: payload.numbers[0])) }

    var payload: [UInt8] { [UInt8](numbers: [draft.recipient.rawValue]) }

    func heard(in turn: inout Turn) -> [Effect] { [.notify(draft)] }
}
