internal import SwiftProtobuf
internal import Synchronization

/// The names that an object of a JSON message may have. The decoder does not list them. So each field number is set to
/// a value of every wire type, and the name is read from the message's JSON.
enum KnownNames {
    /// Names found so far, by the message around the object. There are as many entries as kinds of objects in the
    /// schema.
    private static let found = Mutex<[String: [String]]>([:])
    /// The highest field number that is tried. A test of all names fails if the schema has a higher one.
    private static let numberMax = 127
    /// A value of each wire type that is not 0 or empty, because protobuf leaves such values out of JSON: a varint, 64
    /// bits, an empty message, a text, 32 bits.
    private static let probes: [(type: UInt8, value: [UInt8])] = [
        (0, [1]), (1, [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]), (2, [0]), (2, [1, UInt8(ascii: "1")]), (5, [0, 0, 0x80, 0x3F]),
    ]

    /// - Parameter message: a message in which the object is empty, and each object around it has only the one member.
    /// - Returns: names in the order of their numbers; none if the message does not have this form.
    static func inside(_ message: [UInt8]) -> [String] {
        guard let outer = try? WireClientMessage(jsonUTF8Bytes: message, options: WireJSON.strictOptions),
            let text = try? outer.jsonString(options: WireJSON.encodingOptions), text.hasSuffix("}"),
            let path = path(of: outer)
        else { return [] }
        if let known = found.withLock({ $0[text] }) { return known }
        let names = names(after: String(text.prefix { $0 != "}" }) + "\"", along: path)
        found.withLock { $0[text] = names }
        return names
    }

    /// The fields that lead to the innermost message.
    private static func path(of message: WireClientMessage) -> [Int]? {
        guard let bytes: [UInt8] = try? message.serializedBytes() else { return nil }
        return bytes.withUnsafeBytes { bytes -> [Int]? in
            var path: [Int] = []
            var rest = bytes
            while !rest.isEmpty {
                var cursor = BinaryCursor(rest)
                guard let tag = try? cursor.readTag(), let inner = try? cursor.readLengthDelimited() else { return nil }
                path.append(Int(tag.field))
                rest = UnsafeRawBufferPointer(rebasing: rest[inner])
            }
            return path
        }
    }

    private static func names(after opening: String, along path: [Int]) -> [String] {
        var names: [String] = []
        for number in 1...numberMax {
            for probe in probes {
                var bytes = tag(number, probe.type) + probe.value
                for outer in path.reversed() { bytes = tag(outer, 2) + varint(bytes.count) + bytes }
                guard let message = try? WireClientMessage(serializedBytes: bytes),
                    let text = try? message.jsonString(options: WireJSON.encodingOptions), text.hasPrefix(opening)
                else { continue }
                names.append(String(text.dropFirst(opening.count).prefix { $0 != "\"" }))
                break
            }
        }
        return names
    }

    private static func tag(_ number: Int, _ type: UInt8) -> [UInt8] { varint(number << 3 | Int(type)) }

    private static func varint(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
