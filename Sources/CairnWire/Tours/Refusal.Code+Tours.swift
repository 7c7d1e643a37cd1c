extension Refusal.Code {
    // MARK: Tours

    /// A price that is neither free nor 1 to 999 cents (TRM-2).
    public static let invalidPrice = Self(
        "invalid_price", "This price is not possible.",
        remedy: "`details.limit` is the highest price; 0 is free.")

    /// A link that is not http or https, or one too many (TRM-2).
    public static let invalidLink = Self(
        "invalid_link", "This link cannot be used.",
        remedy: "Correct it; `details.index` says which one.")

    /// Area or route cannot be (TRM-3).
    public static let invalidRoute = Self(
        "invalid_route", "The route or the area is not possible.",
        remedy: "Correct it; `details` names line (`area`, `route`), index of the point and reason.")

    /// Further from the route than objects and texts may be (TRM-4).
    public static let offRoute = Self(
        "off_route", "This is too far from the route.",
        remedy: "Move it closer to the route; `details` names part, distance and limit in metres.")

    /// What is missing before a tour can be published (TRM-7).
    public static let tourIncomplete = Self(
        "tour_incomplete", "The tour is not complete yet.",
        remedy: "Fill in what `details.missing` lists.")

    /// The space holds as much as it may (PLC-7, TRM-4).
    public static let spaceFull = Self(
        "space_full", "There is no room for more here.",
        remedy: "Remove something first; `details` names limit and count.")
}
