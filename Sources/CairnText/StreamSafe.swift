/// Unicode's Stream-Safe Text Format (UAX #15, section 13), to which texts from outside are held.
///
/// Swift compares, hashes and cuts texts in their canonical order, and brings a letter with n marks into it in up to
/// n * n steps: a letter with 29,000 marks takes 1.8 s. No language writes more than a few marks on a letter; Unicode
/// allows 30 in this format. So a text that is not in it is refused where it enters, before anything looks into it.
public enum StreamSafe {
    /// Most marks (characters whose combining class is not 0) in a row.
    public static let marksMax = 30

    /// Whether a text has no more marks in a row than the format allows. Bytes that are not UTF-8 count as letters.
    /// Takes time in proportion to the bytes, whatever they are, and next to none for letters below U+0300.
    public static func holds(_ utf8: UnsafeRawBufferPointer) -> Bool {
        // Marks have two bytes or more, of which the first is 0xCC (U+0300) or more.
        var candidates = 0
        for byte in utf8 {
            if byte >= 0xCC {
                candidates &+= 1
                if candidates > marksMax { return holdsByClasses(utf8) }
            } else if byte < 0x80 || byte >= 0xC0 {
                candidates = 0
            }
        }
        return true
    }

    /// As `holds(_:)`, for a text in memory.
    public static func holds(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { holds(UnsafeRawBufferPointer($0)) } ?? holds(Array(text.utf8))
    }

    /// As `holds(_:)`, for bytes in an array.
    public static func holds(_ utf8: [UInt8]) -> Bool {
        utf8.withUnsafeBytes { holds($0) }
    }

    /// Whether all texts of a JSON document are in the format, however their marks are written (RFC 8259, 7). Takes
    /// time in proportion to the bytes, which need not be JSON.
    public static func holds(json utf8: UnsafeRawBufferPointer) -> Bool {
        guard let escape = utf8.firstIndex(of: UInt8(ascii: "\\")) else { return holds(utf8) }
        // Each escape of six letters stands for three bytes at most.
        var plain = [UInt8](utf8[..<escape])
        plain.reserveCapacity(utf8.count)
        var units: [UInt16] = []
        func flush() {
            guard !units.isEmpty else { return }
            plain.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            units.removeAll(keepingCapacity: true)
        }
        var index = escape
        while index < utf8.count {
            if utf8[index] == UInt8(ascii: "\\"), index + 5 < utf8.count, utf8[index + 1] == UInt8(ascii: "u"),
                let digits = String(validating: utf8[index + 2..<index + 6], as: UTF8.self),
                let unit = UInt16(digits, radix: 16)
            {
                units.append(unit)
                index += 6
            } else {
                flush()
                plain.append(utf8[index])
                index += 1
            }
        }
        flush()
        return holds(plain)
    }

    private static func holdsByClasses(_ utf8: UnsafeRawBufferPointer) -> Bool {
        var decoder = Unicode.UTF8.ForwardParser()
        var bytes = utf8.makeIterator()
        var marks = 0
        while true {
            switch decoder.parseScalar(from: &bytes) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
                marks = isMark ? marks &+ 1 : 0
                if marks > marksMax { return false }
            case .error: marks = 0
            case .emptyInput: return true
            }
        }
    }
}
