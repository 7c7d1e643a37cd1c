internal import CairnText
internal import Foundation

/// A mail as RFC 5322 has it: headers by RFC 2047 where they are not ASCII, and a text body in base64.
struct MailText {
    let id: String
    let from: String
    let to: String
    let subject: String
    let text: String
    /// Seconds since 1970.
    let date: Int64

    /// Lines end with CR LF.
    var bytes: [UInt8] {
        let domain = from.pieces(at: "@").last.map(String.init) ?? "localhost"
        let lines =
            [
                "Date: \(Self.dateText(date))", "From: \(Self.line(from))", "To: \(Self.line(to))",
                "Subject: \(Self.header(subject))", "Message-ID: <\(id)@\(Self.line(domain))>", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
                "Auto-Submitted: auto-generated", "",
            ] + body
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The text, its lines ended by CR LF, in lines of 76 characters.
    private var body: [String] {
        let text = text.pieces(at: "\n", omittingEmptySubsequences: false)
            .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }.joined(separator: "\r\n")
        let encoded = Array(Data(text.utf8).base64EncodedString())
        return stride(from: 0, to: encoded.count, by: 76).map { String(encoded[$0..<min($0 + 76, encoded.count)]) }
    }

    /// One address, without anything that would begin another header or another recipient.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && !text.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7f || special.contains($0) }
    }

    private static let special = ",;:<>()\"\\".unicodeScalars

    /// No text may begin a header of its own.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    }

    /// A header's text: as it is where it is short ASCII, else in encoded words of at most 75 characters.
    static func header(_ text: String) -> String {
        let text = line(text)
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 } && text.utf8.count <= 60 && !text.contains("=?")
        guard !isPlain else { return text }
        var words: [[UInt8]] = [[]]
        // Whole code points: an encoded word must be decodable by itself. 42 bytes are 56 characters of base64.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// In UTC, with English names, whatever the locale is.
    static func dateText(_ seconds: Int64) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds))
        )
        func two(_ number: Int?) -> String { String("0\(number ?? 0)".suffix(2)) }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = months[(parts.month ?? 1) - 1]
        return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }
}
