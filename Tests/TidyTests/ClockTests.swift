import Testing

/// A reading of a clock has the type of that clock (docs/decisions/0021-clocks-are-types.md).
@Suite("Tidy: clocks")
struct ClockTests {
    /// Declarations of this name and with this type say nothing of their clock.
    private static var nakedTimes: Regex<Substring> {
        #/
        \b(?: (?: now | deadline | due | since | until | \w+(?:At|Since|Until|Deadline) ) (?:\ [a-z]\w*)? :\ \[?
        (?:UInt64|Double)
        | at (?:\ [a-z]\w*)? :\ \[? UInt64 )\b
        /#
    }

    /// Constant spans that are numbers. A figure in microseconds is a variable.
    private static var nakedSpans: Regex<Substring> { /\blet \w*[mM]icroseconds: U?Int64 = [\d_]+/ }

    @Test func times_areNoNumbers() {
        expectNone(
            places(of: Self.nakedTimes, on: ["UInt64", "Double"], except: Exceptions.nakedTimes),
            "A time is a number, which may be of any clock; write MonotonicTime:")
    }

    @Test func constantSpans_areDurations() {
        expectNone(
            places(of: Self.nakedSpans, on: ["icroseconds"], except: Exceptions.nakedSpans),
            "A span is a number; write a Duration:")
    }

    @Test func monotonicClock_isReadInOnePlace() {
        expectNone(
            places(of: /\bCLOCK_MONOTONIC\b/, on: ["CLOCK_"], except: Exceptions.clockReaders),
            "Reads the clock by itself; ask for MonotonicTime.now:")
    }

    @Test func searches_findWhatTheyLookFor() {
        let naked = [
            "now: UInt64", "var emptySince: UInt64 = 0", "let at: UInt64", "case next(at: UInt64)",
            "schedule(at due: UInt64)", "deadline: Double", "until: UInt64?", "askedAt: [UInt64]",
        ]
        for line in naked { #expect(line.contains(Self.nakedTimes), "\(line)") }
        for line in ["now: MonotonicTime", "at index: Int", "count: UInt64", "latitude: Double", "at: Double.zero"] {
            #expect(!line.contains(Self.nakedTimes), "\(line)")
        }
        #expect("static let pauseMicroseconds: UInt64 = 10_000".contains(Self.nakedSpans))
        #expect(!"var microseconds: UInt64 { get }".contains(Self.nakedSpans))
    }

    /// Where the product matches; an exception that nothing needs any more is a complaint too.
    /// `hints`: parts of which each line has one that matches; to look for them is quick.
    private func places(
        of search: Regex<Substring>, on hints: [String], except exceptions: [String: String]
    ) -> [String] {
        var unused = Set(exceptions.keys)
        var places: [String] = []
        for file in SourceTree.swift where file.target != nil && file.target != "CairnTesting" {
            for line in file.lines
            where hints.contains(where: { line.code.hasBytes(of: $0) }) && line.code.contains(search) {
                if exceptions[file.path] != nil { unused.remove(file.path) } else { places.append(file.place(line)) }
            }
        }
        return places + unused.sorted().map { "\($0): no exception is needed any more" }
    }
}
