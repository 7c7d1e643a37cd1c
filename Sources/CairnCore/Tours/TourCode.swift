/// The code of a tour's link: eight capital letters without I, L, O and U, which are easily confused with others or
/// with digits (TRT-3). It follows from the tour's name on the wire, so it reveals neither age nor order.
public enum TourCode {
    public static let letterCount = 8
    private static let alphabet = Array("ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The code of a tour: the same for ever. Two tours have one code with a chance of 1 in 54,875,873,536.
    /// - Parameter name: the tour's name on the wire.
    public static func of(_ name: String) -> String {
        // FNV-1a: what it is made of is a keyed permutation already.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash ^= hash >> 29
        var letters: [UInt8] = []
        for _ in 0..<letterCount {
            letters.append(alphabet[Int(hash % UInt64(alphabet.count))])
            hash /= UInt64(alphabet.count)
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
