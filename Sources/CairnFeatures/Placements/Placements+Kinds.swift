internal import CairnWire

extension MessageKind {
    static let place = MessageKind(field: 20, name: "place")
    static let edit = MessageKind(field: 21, name: "edit")
    static let remove = MessageKind(field: 22, name: "remove")
    static let select = MessageKind(field: 23, name: "select")
}
