package import CairnCore
internal import CairnText
internal import CairnWire

extension FeatureRegister {
    /// Names of all kinds of requests whose times are measured, by their field in the envelope.
    package var kindNames: [UInt32: String] {
        Dictionary(measuredKinds.map { ($0.field, $0.name) }) { $1 }
    }

    /// Names of the kinds of request as JSON writes them.
    var requestNames: [String] { measuredKinds.map(\.jsonName).sorted() }

    private var measuredKinds: [MessageKind] {
        [SessionMessage.hello.kind, SessionMessage.getSnapshot.kind] + kinds
            + EntranceRegister.commands.map { $0.kind }
    }
}

extension MessageKind {
    /// The name as JSON writes it: `signOut` for `sign_out`.
    var jsonName: String {
        let words = name.pieces(at: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words.first.map(String.init) ?? "") + rest.joined()
    }
}
