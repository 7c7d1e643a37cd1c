import Testing

extension Tag {
    /// Time matters to these suites: they run one after the other, when no other test runs (Tests/Runner/plan.py).
    @Tag static var alone: Self
}
