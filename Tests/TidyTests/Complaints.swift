import Testing

/// Records one issue with every place that breaks a rule, so that a run shows all of them.
func expectNone(_ places: [String], _ rule: String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard !places.isEmpty else { return }
    let list = places.map { "  " + $0 }.joined(separator: "\n")
    Issue.record("\(rule)\n\(list)", sourceLocation: sourceLocation)
}
