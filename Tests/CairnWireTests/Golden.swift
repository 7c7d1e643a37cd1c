import CairnWire
import Foundation
import Testing

/// A message that is kept as a file, in both forms (Golden/README.md).
struct Golden: CustomTestStringConvertible, Sendable {
    enum Side: String, CaseIterable {
        case client, server
    }

    let side: Side
    let name: String
    /// As in the file, indented.
    let json: String
    let binary: [UInt8]

    var testDescription: String { "\(side)/\(name)" }

    /// The JSON as it goes over the wire: no space outside texts.
    var compactJSON: String {
        var isInText = false, isEscaped = false
        return String(
            json.unicodeScalars.filter { scalar in
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if scalar == "\\" {
                        isEscaped = true
                    } else if scalar == "\"" {
                        isInText = false
                    }
                    return true
                }
                if scalar == "\"" { isInText = true }
                return !scalar.properties.isWhitespace
            }.map(Character.init))
    }

    static let client = load(.client)
    static let server = load(.server)
    /// All but presence: what tells poses is another field in JSON.
    static let alikeInBothForms = server.filter { $0.name != "presence" }

    static func named(_ name: String, of side: Side) throws -> Golden {
        let all = side == .client ? client : server
        guard let golden = all.first(where: { $0.name == name }) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Golden/\(side)/\(name)"])
        }
        return golden
    }

    /// Those of one side, the server's own and each feature's.
    private static func load(_ side: Side) -> [Golden] {
        guard let folder = Bundle.module.resourceURL?.appending(path: "Golden"),
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [] }
        let messages = files.compactMap { $0 as? URL }.filter { file in
            file.pathExtension == "json" && file.deletingLastPathComponent().lastPathComponent == side.rawValue
        }
        return messages.sorted { $0.lastPathComponent < $1.lastPathComponent }.compactMap { file in
            guard let json = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            let hex = try? String(
                contentsOf: file.deletingPathExtension().appendingPathExtension("hex"), encoding: .utf8)
            return Golden(
                side: side, name: file.deletingPathExtension().lastPathComponent, json: json,
                binary: [UInt8](hex: hex ?? ""))
        }
    }
}

extension [UInt8] {
    /// Bytes from pairs of hexadecimal digits; anything else between them is ignored.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
