internal import CairnCore
internal import Foundation

/// The machine's clock without corrections, for files that are named by time.
enum WallClock {
    static var now: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// For names of files: `20260512T101500.123Z`, UTC.
    static func stamp(_ time: WallTime) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return String(
            format: "%04d%02d%02dT%02d%02d%02d.%03dZ", parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour, parts.tm_min, parts.tm_sec, Int(time.milliseconds % 1_000))
    }

    /// Parses a text of `stamp`; nil for other texts.
    static func time(of stamp: String) -> WallTime? {
        let digits = stamp.filter(\.isWholeNumber)
        guard digits.utf8.count == 17, let milliseconds = Int64(digits.suffix(3)) else { return nil }
        func number(_ from: Int, _ count: Int) -> Int32 { Int32(digits.dropFirst(from).prefix(count)) ?? 0 }
        var parts = tm()
        parts.tm_year = number(0, 4) - 1_900
        parts.tm_mon = number(4, 2) - 1
        parts.tm_mday = number(6, 2)
        parts.tm_hour = number(8, 2)
        parts.tm_min = number(10, 2)
        parts.tm_sec = number(12, 2)
        let time = WallTime(milliseconds: Int64(timegm(&parts)) * 1_000 + milliseconds)
        return self.stamp(time) == stamp ? time : nil
    }

    /// For people: `2026-05-12 10:15:00 UTC`.
    static func text(_ time: WallTime) -> String {
        let stamp = Array(stamp(time))
        func part(_ range: Range<Int>) -> String { String(stamp[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(9..<11)):\(part(11..<13)):\(part(13..<15)) UTC"
    }
}
