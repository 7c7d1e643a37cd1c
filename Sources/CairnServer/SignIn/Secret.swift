internal import CairnCrypto
internal import Foundation

extension Data {
    /// In letters that need no escape anywhere, without padding (RFC 4648, section 5).
    ///
    /// Every sign-in makes a token: `replacingOccurrences` costs as much as all the rest of it but the disk.
    var base64URL: String {
        let letters = base64EncodedData().compactMap { letter -> UInt8? in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: letter
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}

/// Texts that cannot be guessed.
package enum Secret {
    /// 256 random bits as a text: a token, a link, a session's secret.
    package static func make() -> String { Data(randomBytes(32)).base64URL }
}
