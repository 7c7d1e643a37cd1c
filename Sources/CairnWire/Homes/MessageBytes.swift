internal import Foundation

extension WireHomeMessage {
    /// `payload`, for modules that do not know Foundation's bytes.
    public var payloadBytes: [UInt8] {
        get { Array(payload) }
        set { payload = Data(newValue) }
    }
}

extension WireInstanceAttachment {
    /// `payload`, for modules that do not know Foundation's bytes.
    public var payloadBytes: [UInt8] {
        get { Array(payload) }
        set { payload = Data(newValue) }
    }
}

extension WireMovingInstance {
    /// `edit`, for modules that do not import Foundation.
    public var editBytes: [UInt8] {
        get { Array(edit) }
        set { edit = Data(newValue) }
    }
}
