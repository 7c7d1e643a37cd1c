internal import Foundation

// The app's own data as bytes, for targets that do not import Foundation's `Data` (PLC-16).

extension WireInstance {
    /// `data` as bytes.
    public var dataBytes: [UInt8] {
        get { [UInt8](data) }
        set { data = Data(newValue) }
    }
}

extension WirePlace {
    /// `data` as bytes.
    public var dataBytes: [UInt8] {
        get { [UInt8](data) }
        set { data = Data(newValue) }
    }
}

extension WireEdit {
    /// `data` as bytes. Setting them marks the field as present, even if they are empty.
    public var dataBytes: [UInt8] {
        get { [UInt8](data) }
        set { data = Data(newValue) }
    }
}
