extension Refusal.Code {
    // MARK: Walking tours

    /// The person is on a run that is not completed (TRT-5).
    public static let tourInProgress = Self(
        "tour_in_progress", "You are on a tour already.",
        remedy: "Go on with it (`get_run`), or leave it first.")

    /// The tour has a price, and there is no purchase of the person (TRT-5).
    public static let paymentRequired = Self(
        "payment_required", "This tour has to be bought first.",
        remedy: "Buy it, then start it again.")

    /// Nothing on the ground, and nothing of a sub-realm but its members, may be changed on a tour (TRT-6).
    public static let readOnlyTour = Self(
        "read_only_tour", "On a tour nothing can be changed.",
        remedy: "Leave the tour first (`leave_run`).")
}
