/// Base32 of RFC 4648, 6, without padding: how people and authenticator apps write secrets.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        var bits = 0
        var held: UInt32 = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                letters.append(alphabet[Int(held >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { letters.append(alphabet[Int(held << UInt32(5 - bits) & 31)]) }
        return String(decoding: letters, as: UTF8.self)
    }
}
