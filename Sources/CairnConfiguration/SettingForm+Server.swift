internal import CairnCore
internal import CairnText
import Foundation

/// The accepted forms of texts.
extension SettingForm {
    static let address = Self(wants: "an IP address such as 127.0.0.1 or ::1", accepts: NetworkAddress.isNumeric)

    /// An origin exactly as browsers and web views send it. Any other spelling would never match.
    static let origin = Self(
        wants: "an origin as browsers send it: https://example.org, http://localhost:3000 or capacitor://localhost, "
            + "without a path, a * or the usual port"
    ) { text in
        let parts = text.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isASCII, first.isLetter,
            parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
        else { return false }
        // A page that is a file has no host.
        if parts[0] == "file" { return parts[1].isEmpty }
        var host = parts[1]
        if let colon = host.lastPlace(of: ":"), host.last != "]" {
            let digits = host[host.index(after: colon)...]
            guard let port = UInt16(digits), port > 0, String(port) == digits else { return false }
            let usual: UInt16? = ["https": 443, "http": 80][parts[0]]
            guard port != usual else { return false }
            host = host[..<colon]
        }
        if host.hasPrefix("[") && host.hasSuffix("]") {
            return NetworkAddress.isNumeric(String(host.dropFirst().dropLast()))
        }
        return !host.isEmpty
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
    }

    static let network = Self(wants: "an IP address or network such as 10.0.0.0/8") { text in
        NetworkRange(text) != nil
    }

    static let hostName = Self(wants: "a host's name such as world.example.org, without a port") { text in
        (1...253).contains(text.utf8.count) && text.first != "." && text.last != "."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-._".utf8.contains(byte)
                }
            }
    }

    static let readableFile = Self(wants: "the path of a file that the server can read") { text in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && FileManager.default.isReadableFile(atPath: text)
    }

    static let file = Self(wants: "the path of a file (made when it is needed)") { text in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
        return isWritten(text) && !(exists && isFolder.boolValue)
    }

    static let folder = Self(wants: "the path of a folder (made when it is not there)") { text in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
        return isWritten(text) && (!exists || isFolder.boolValue)
    }

    /// A tilde is put in place by a shell alone: here it would be the name of a folder.
    private static func isWritten(_ path: String) -> Bool {
        !path.isEmpty && !path.contains("\0") && !path.hasPrefix("~")
    }

    static let absolutePath = Self(wants: "a path from the root, such as /run/cairn/stats.sock") { text in
        text.hasPrefix("/") && !text.hasSuffix("/") && !text.contains("\0")
    }

    static let addressAndPort = Self(wants: "an IP address and a port, such as 127.0.0.1:8081 or [::1]:8081") { text in
        NetworkAddress.parts(of: text) != nil
    }

    /// A credential that is hard to guess. One letter repeated, as a held key writes it, is refused.
    static let secret = Self(wants: "20 to 200 letters, digits or any of - _ . ~ + / =, at least 6 different ones") {
        text in
        (20...200).contains(text.utf8.count) && Set(text.utf8).count >= 6
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-_.~+/=".utf8.contains(byte)
                }
            }
    }

    /// One host: the content security policy of the console allows exactly this one.
    static let tileURL = Self(wants: "an address such as https://tiles.example.org/{z}/{x}/{y}.png") { text in
        let plain = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacing($1, with: "0") }
        guard let url = URLComponents(string: plain), let host = url.host, !host.isEmpty else { return false }
        let hasAll = ["{z}", "{x}", "{y}"].allSatisfy { text.ranges(of: $0).count == 1 }
        let isWeb = url.scheme == "https" || url.scheme == "http"
        let isPlain = !plain.contains { "{}*;,'\" ".contains($0) }
        return hasAll && isWeb && isPlain && url.user == nil && text.contains("://\(host)")
    }

    static let line = Self(wants: "a line of at most 200 characters") { text in
        (1...200).contains(text.count) && !text.contains { $0.isNewline || $0 == "\0" }
    }

    static let httpPath = Self(wants: "a path such as /echo") { text in
        text.first == "/" && text.count > 1
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x3f && $0 != 0x23 }
    }

    static let frontEnd = Self(wants: "1 to 32 of a-z, 0-9, - . and _") { text in FrontEnd(text) != nil }
}
