extension [UInt8] {
    /// The bytes that two hexadecimal digits each say; spaces and line breaks are left out.
    init(hex text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The same bytes with one bit changed, for each bit.
    var withOneBitFlipped: [[UInt8]] {
        (0..<8 * count).map { bit in
            var changed = self
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return changed
        }
    }
}
