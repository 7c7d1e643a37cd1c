internal import CairnCore
internal import CairnText
internal import Foundation

/// A birth date as a sign-up writes it: MM/DD/YYYY (ACC-2).
struct BirthDate: Equatable, Sendable {
    private let year: Int
    private let month: Int
    private let day: Int

    private static let oldestYear = 1900
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Nil when it is no date, before 1900, or still to come.
    init?(_ text: String, now: WallTime) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.map(\.count) == [2, 2, 4], parts.joined().allSatisfy(digits.contains) else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
        self.init(year: numbers[2], month: numbers[0], day: numbers[1], now: now)
    }

    /// Reads `text`.
    init?(stored text: String, now: WallTime) {
        let parts = text.pieces(at: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2], now: now)
    }

    private init?(year: Int, month: Int, day: Int, now: WallTime) {
        let components = DateComponents(calendar: Self.calendar, year: year, month: month, day: day)
        guard year >= Self.oldestYear, components.isValidDate, let date = components.date, date <= Self.date(now) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// YYYY-MM-DD.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// Whole years at a time.
    func age(at now: WallTime) -> Int {
        let today = Self.calendar.dateComponents([.year, .month, .day], from: Self.date(now))
        let isBefore = ((today.month ?? 0), (today.day ?? 0)) < (month, day)
        return (today.year ?? 0) - year - (isBefore ? 1 : 0)
    }

    private static func date(_ time: WallTime) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
