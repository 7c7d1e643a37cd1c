package import CairnCore
internal import CairnText
internal import CairnWire

extension FeatureRegister {
    /// Names of all kinds of requests whose times are measured, by their field in the envelope.
    package var kindNames: [UInt32: String] {
        var names: [UInt32: String] = [
            SessionMessage.hello.field: "hello", SessionMessage.getSnapshot.field: SessionMessage.snapshotName,
        ]
        for kind in kinds + EntranceRegister.commands.map({ $0.kind }) { names[kind.field] = kind.name }
        return names
    }
}

extension FeatureRegister {
    /// Names of the kinds of request as JSON writes them: `signOut` for `sign_out`.
    var requestNames: [String] {
        kindNames.values.map { name in
            let words = name.pieces(at: "_")
            let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return (words.first.map(String.init) ?? "") + rest.joined()
        }.sorted()
    }
}
