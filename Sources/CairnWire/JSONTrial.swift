internal import SwiftProtobuf

/// Finds the member of a JSON message that the decoder refuses, by decoding members one at a time. So it needs no
/// second description of the schema, which could be wrong.
struct JSONTrial {
    /// The message, borrowed until the fault is found; no trial is kept longer.
    let bytes: UnsafeRawBufferPointer
    let options: JSONDecodingOptions
    /// Remaining bytes that may be decoded, over all levels.
    var budget: Int

    private static let membersMax = 64

    /// The refused member: the innermost one that can be identified.
    struct Finding {
        let name: Range<Int>
        let value: Range<Int>
        /// Names of the path to it, as they were sent.
        let path: [String]
        /// The text of the message around it, with no other members.
        let prefix: [UInt8]
        let suffix: [UInt8]
    }

    /// - Parameters:
    ///   - members: of the object that `prefix` opens and `suffix` closes.
    ///   - path: path to that object.
    mutating func search(
        _ members: [JSONSyntax.Member], prefix: [UInt8] = [UInt8(ascii: "{")], suffix: [UInt8] = [UInt8(ascii: "}")],
        path: [String] = []
    ) -> Finding? {
        for member in members.prefix(Self.membersMax) {
            guard let error = fault(in: prefix + bytes[member.name.lowerBound..<member.value.upperBound] + suffix)
            else {
                if budget < 0 { return nil }
                continue
            }
            let here = path + [String(decoding: bytes[member.name].dropFirst().dropLast(), as: UTF8.self)]
            let found = Finding(name: member.name, value: member.value, path: here, prefix: prefix, suffix: suffix)
            guard bytes[member.value.lowerBound] == UInt8(ascii: "{"), !isUnknown(found, error) else { return found }
            var inner = JSONSyntax(bytes, from: member.value.lowerBound)
            _ = inner.fault()
            let opening = prefix + bytes[member.name] + [UInt8(ascii: ":"), UInt8(ascii: "{")]
            return search(inner.members, prefix: opening, suffix: [UInt8(ascii: "}")] + suffix, path: here) ?? found
        }
        return nil
    }

    /// Whether the name is unknown, and the fault is not in the value.
    mutating func isUnknown(_ finding: Finding) -> Bool {
        Self.isUnknownName(fault(in: finding.prefix + bytes[finding.name] + Array(":null".utf8) + finding.suffix))
    }

    private mutating func isUnknown(_ finding: Finding, _ error: any Error) -> Bool {
        Self.isUnknownName(error) && isUnknown(finding)
    }

    private static func isUnknownName(_ error: (any Error)?) -> Bool {
        guard case .unknownField = error as? JSONDecodingError else { return false }
        return true
    }

    /// Why the decoder refuses a message; nil = it accepts it, or the budget is used up.
    private mutating func fault(in text: [UInt8]) -> (any Error)? {
        budget -= text.count
        guard budget >= 0 else { return nil }
        do {
            _ = try WireClientMessage(jsonUTF8Bytes: text, options: options)
            return nil
        } catch {
            return error
        }
    }
}
