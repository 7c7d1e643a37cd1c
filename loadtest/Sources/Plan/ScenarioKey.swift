import CairnGeo
import CairnWire

/// One key of a scenario file: its meaning, its accepted values, and its part of the plan.
struct ScenarioKey: Sendable {
    let name: String
    let meaning: String
    /// Nil for words.
    let unit: String?
    /// The accepted values, in words.
    let wants: String
    let read: @Sendable (CrowdPlan) -> PlanValue
    /// Sets the value; false for an invalid one, which leaves the plan unchanged.
    let write: @Sendable (inout CrowdPlan, String) -> Bool

    /// The row of the table in loadtest/README.md.
    var row: String {
        let standard = read(CrowdPlan()).text
        return "| `\(name)` | \(meaning) | \(unit ?? "") | \(standard) | \(wants) |"
    }

    static func named(_ name: String) -> ScenarioKey? { all.first { $0.name == name } }

    /// Names the nearest known key.
    static func unknown(_ name: String) -> String {
        let nearest = Spelling.nearest(to: name, in: all.map(\.name)).map { "; the nearest is \($0)" } ?? ""
        return "unknown key \(name)\(nearest) (`cairn-crowd scenarios` lists them all)"
    }

    // MARK: Kinds

    static func integer(
        _ name: String, _ path: any WritableKeyPath<CrowdPlan, Int> & Sendable, _ bounds: ClosedRange<Int>,
        unit: String?,
        _ meaning: String
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, unit: unit,
            wants: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
            read: { .integer(Int64($0[keyPath: path])) },
            write: { plan, text in
                guard let value = Int(text), bounds.contains(value) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    static func number(
        _ name: String, _ path: any WritableKeyPath<CrowdPlan, Double> & Sendable, _ bounds: ClosedRange<Double>,
        unit: String?, _ meaning: String
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, unit: unit,
            wants: "a number from \(bounds.lowerBound.plain) to \(bounds.upperBound.plain)",
            read: { .number($0[keyPath: path]) },
            write: { plan, text in
                guard let value = Double(text), bounds.contains(value) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    /// 0, or a time that is long enough for other actions in between.
    static func interval(
        _ name: String, _ path: any WritableKeyPath<CrowdPlan, Double> & Sendable, _ meaning: String
    ) -> ScenarioKey {
        let bounds = 0.01...86_400.0
        return ScenarioKey(
            name: name, meaning: meaning + " 0 = none.", unit: "seconds",
            wants: "0, or a number from \(bounds.lowerBound.plain) to \(bounds.upperBound.plain)",
            read: { .number($0[keyPath: path]) },
            write: { plan, text in
                guard let value = Double(text), value == 0 || bounds.contains(value) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<CrowdPlan, Word> & Sendable, _ meaning: String
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, unit: nil,
            wants: "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "),
            read: { .text($0[keyPath: path].rawValue) },
            write: { plan, text in
                guard let value = Word(rawValue: text) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    // MARK: Table

    static let all: [ScenarioKey] = who + moving + CrowdFeatures.keys + trouble + measuring

    private static let who: [ScenarioKey] = [
        .integer("people", \.people, 1...20_000, unit: "people", "How many connect."),
        .integer(
            "cells", \.cells, 0...1_000, unit: "cells",
            "How many cells they are spread over. 0 = one for each 50 people, at least 3."),
        .word(
            "ground", \.ground,
            "strip: neighbouring cells in a row, over whose borders people walk; apart: cells more than a kilometre "
                + "apart, which nobody leaves."),
        ScenarioKey(
            name: "at", meaning: "Where on Earth that is: latitude and longitude of its middle.", unit: "degrees",
            wants: "LAT,LON such as 45.5,-73.57, at most 80 degrees north or south",
            read: { .text("\($0.at.latitude.plain),\($0.at.longitude.plain)") },
            write: { plan, text in
                let parts = text.split(separator: ",").map { Double($0.drop { $0 == " " }) }
                // Nearer to a pole a plane does not fit that many cells.
                guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], abs(latitude) <= 80,
                    let place = Coordinate(latitude: latitude, longitude: longitude)
                else { return false }
                plan.at = place
                return true
            }),
        .integer("cellLevel", \.cellLevel, 13...20, unit: "S2 level", "Size of the cells; the server's own."),
        .integer(
            "crowdPeople", \.crowdPeople, 2...65_535, unit: "people",
            "People in a cell from which on the server may leave poses out; fewer where bytes or time demand it."),
        .integer(
            "handshakesMax", \.handshakesMax, 1...20_000, unit: "connections",
            "How many connect at a time at the beginning."),
    ]

    private static let moving: [ScenarioKey] = [
        .word("motion", \.motion, "wander: here and there; straight: from end to end and back."),
        .number(
            "shiftingShare", \.shiftingShare, 0...1, unit: "share",
            "How many of the people send poses at other moments when the server asks for it."),
        .number("movingShare", \.movingShare, 0...1, unit: "share", "How many of the people move; the others stand."),
        .number(
            "actingShare", \.actingShare, 0...1, unit: "share",
            "How many of the people place, react, ask and so on; the others are quiet."),
        .number("rate", \.rate, 0.01...100, unit: "poses/s", "Poses of each person who moves."),
        .number("speedLeast", \.speedLeast, 0...50, unit: "m/s", "Speed of the slowest."),
        .number("speedMost", \.speedMost, 0...50, unit: "m/s", "Speed of the fastest."),
        .number("sharingShare", \.sharingShare, 0...1, unit: "share", "How many share their exact position."),
    ]

    private static let trouble: [ScenarioKey] = [
        .interval("cutEvery", \.cutEvery, "Time between two cuts of a person's connection, on average."),
        .interval(
            "stormEvery", \.stormEvery, "Time between two moments at which many connections are cut at once."),
        .number("stormShare", \.stormShare, 0...1, unit: "share", "How many connections such a moment cuts."),
        .number("slowShare", \.slowShare, 0...1, unit: "share", "How many stop reading again and again."),
        .number("slowReads", \.slowReads, 0.1...600, unit: "seconds", "How long they read."),
        .number("slowStops", \.slowStops, 0.1...600, unit: "seconds", "How long they do not."),
    ]

    private static let measuring: [ScenarioKey] = [
        .number(
            "judgedShare", \.judgedShare, 0...1, unit: "share",
            "How many look at each pose that they get; the others count its bytes only. For crowds that deliver more "
                + "than one processor can judge."),
        .number("seconds", \.seconds, 1...86_400, unit: "seconds", "How long it is measured."),
        .number("warmUpSeconds", \.warmUpSeconds, 0...600, unit: "seconds", "How long it runs before that."),
        ScenarioKey(
            name: "format", meaning: "Protocol that all speak.", unit: nil, wants: "one of proto, json",
            read: { .text("\($0.format)") },
            write: { plan, text in
                guard let format = ["proto": WireFormat.proto, "json": .json][text] else { return false }
                plan.format = format
                return true
            }),
        ScenarioKey(
            name: "seed", meaning: "Decides everything that is left to chance.", unit: nil,
            wants: "a whole number from 0 to \(UInt64.max)", read: { .unsigned($0.seed) },
            write: { plan, text in
                guard let seed = UInt64(text) else { return false }
                plan.seed = seed
                return true
            }),
    ]
}

/// The value of one key as text.
enum PlanValue: Hashable, Sendable, Codable {
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)

    var text: String {
        switch self {
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): value.plain
        case .text(let value): value
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }
}
