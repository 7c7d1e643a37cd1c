internal import Foundation

/// The parts of a PHC string of argon2id, as it is stored: `$argon2id$v=19$m=…,t=…,p=…$SALT$HASH`. Read strictly and
/// with bounds, before libargon2 sees it.
struct PHCText {
    let cost: PasswordHash.Cost

    /// The longest: numbers at their bounds, a salt and a hash of 64 bytes each.
    static let bytesMax = 256
    /// Bytes that a stored salt or hash may have.
    private static let saltBytes = 8...64
    private static let hashBytes = 16...64

    /// nil = not such a string, or one of its numbers is beyond its bounds.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let fields = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].isEmpty, fields[1].elementsEqual("argon2id".utf8),
            fields[2].elementsEqual("v=19".utf8)
        else { return nil }
        let numbers = fields[3].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard numbers.count == 3, let memory = Self.number(numbers[0], "m="),
            let passes = Self.number(numbers[1], "t="), let lanes = Self.number(numbers[2], "p="),
            let cost = PasswordHash.Cost(memoryKiB: memory, passes: passes, lanes: lanes),
            Self.isBase64(fields[4], of: Self.saltBytes), Self.isBase64(fields[5], of: Self.hashBytes)
        else { return nil }
        self.cost = cost
    }

    /// Base64 without padding.
    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    /// A decimal number of at most six digits, without a sign or leading zeros.
    private static func number(_ field: Substring.UTF8View, _ name: String) -> Int? {
        guard field.starts(with: name.utf8) else { return nil }
        let digits = field.dropFirst(name.utf8.count)
        let isPlain = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isPlain, digits.count <= 6, digits.first != UInt8(ascii: "0") else { return nil }
        return Int(Substring(digits))
    }

    /// Whether it is Base64 without padding, of so many bytes, and the only way to write them.
    private static func isBase64(_ field: Substring.UTF8View, of bytes: ClosedRange<Int>) -> Bool {
        let padding = String(repeating: "=", count: (4 - field.count % 4) % 4)
        guard let data = Data(base64Encoded: String(Substring(field)) + padding) else { return false }
        return bytes.contains(data.count) && base64(Array(data)).utf8.elementsEqual(field)
    }
}
