/// Broken rules: how often each was broken, and the first few cases in words.
struct Broken: Sendable {
    static let examplesMax = 5

    struct Entry: Sendable {
        var count = 0
        var examples: [String] = []
    }

    private(set) var rules: [String: Entry] = [:]

    /// All breaches together.
    var count: Int { rules.values.reduce(0) { $0 + $1.count } }

    mutating func add(_ rule: String, times: Int = 1, _ example: @autoclosure () -> String) {
        guard times > 0 else { return }
        rules[rule, default: Entry()].count += times
        if let examples = rules[rule]?.examples, examples.count < Self.examplesMax {
            rules[rule]?.examples.append(example())
        }
    }
}
