internal import CairnWire
internal import SwiftProtobuf

extension ClientEnvelope {
    /// The body as a message.
    /// - Throws: `bad_message`.
    func body<Body: SwiftProtobuf.Message>(as type: Body.Type = Body.self) throws(Refusal) -> Body {
        do {
            return try Body(serializedBytes: payload)
        } catch {
            throw Refusal(.badMessage, "the body does not decode", component: "wire")
        }
    }
}
