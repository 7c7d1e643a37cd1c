internal import Foundation

/// The lines that the server and an adaptor's process exchange: one JSON object each (docs/adaptors.md).
enum AdaptorLine {
    /// Longest line in either direction, its end not counted.
    static let bytesMax = 65_536

    /// The line of a call, with its end; nil = it cannot be sent.
    static func request(_ call: AdaptorCall) -> [UInt8]? {
        guard isID(call.id) else { return nil }
        var members = call.fields
        members["id"] = .text(call.id)
        members["do"] = .text(call.action)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(members), line.count <= bytesMax else { return nil }
        return [UInt8](line) + [UInt8(ascii: "\n")]
    }

    /// What a line of the process says.
    struct Heard: Sendable, Equatable {
        let id: String
        let outcome: Outcome
    }

    /// The outcome of a call.
    typealias Outcome = Result<AdaptorAnswer, AdaptorFailure>

    /// Reads a line; nil = nonsense.
    static func heard(in line: [UInt8]) -> Heard? {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { return nil }
        return answer.heard
    }

    private struct Answer: Decodable {
        let id: String
        let done: [String: String]?
        let refused: Refused?
        let failed: Failed?

        struct Refused: Decodable {
            let code: String
            let message: String?
        }

        struct Failed: Decodable {
            let message: String?
        }

        /// Nil unless it has exactly one outcome.
        var heard: Heard? {
            switch (done, refused, failed) {
            case (let done?, nil, nil): Heard(id: id, outcome: .success(.done(done)))
            case (nil, let refused?, nil) where AdaptorLine.isCode(refused.code):
                Heard(
                    id: id, outcome: .success(.refused(code: refused.code, message: refused.message ?? refused.code)))
            case (nil, nil, .some): Heard(id: id, outcome: .failure(.failed))
            default: nil
            }
        }
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// Codes are logged, so that they must not hold what a person has written.
    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
