internal import CairnCore
internal import CairnWire

extension FeatureRegister {
    /// Names of all kinds of requests whose times are measured, by their field in the envelope.
    var kindNames: [UInt32: String] {
        var names: [UInt32: String] = [SessionMessage.hello.field: "hello"]
        for kind in kinds { names[kind.field] = kind.name }
        return names
    }
}
