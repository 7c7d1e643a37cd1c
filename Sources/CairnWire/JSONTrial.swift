internal import SwiftProtobuf

/// Finds the member of a JSON message that the decoder does not take, by giving it one at a time. No second description
/// of the schema is needed, so none can be wrong.
struct JSONTrial {
    /// The message, lent until the fault is found; no trial outlives that.
    let bytes: UnsafeRawBufferPointer
    let options: JSONDecodingOptions
    /// Bytes that may still be decoded, over all levels.
    var budget: Int

    private static let membersMax = 64

    /// The member that is not taken: the innermost one that can be told apart.
    struct Finding {
        let name: Range<Int>
        let value: Range<Int>
        /// Names down to it, as they were sent.
        let path: [String]
        /// The message around it, opened and closed, with nothing else in it.
        let prefix: [UInt8]
        let suffix: [UInt8]
    }

    /// - Parameters:
    ///   - members: of the object that `prefix` opens and `suffix` closes.
    ///   - path: to that object.
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

    /// Whether it is the name that is not known, and not something in the value.
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

    /// Why the decoder does not take a message; nil = it does, or the budget is used up.
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
