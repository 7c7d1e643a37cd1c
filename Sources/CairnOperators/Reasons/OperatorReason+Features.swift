/// Why requests of people are refused, by the codes of features.
extension OperatorReason {
    static let ofFeatures: [OperatorReason] = rows(.refusals, ofFriends + ofPlaces + ofTours)

    private static let ofFriends: [Row] = [
        ("self_request", "Somebody asked for their own friendship, or to block themselves.", apps),
        ("already_friends", "The two are friends.", theirs),
        ("too_many_members", "A sub-realm has as many members as it may have.", limit),
        ("invite_not_found", "An invitation was answered, withdrawn, or has lapsed.", theirs),
        ("already_member", "The person is a member.", theirs),
        ("join_pending", "The owner of a sub-realm has not approved it yet.", theirs),
    ]

    private static let ofPlaces: [Row] = [
        ("object_not_owned", "Somebody wanted to leave an object that is not in their inventory.", apps),
        ("bad_pose", "A pose has a number that is not possible.", apps),
        (
            "too_far", "Somebody reached for a place further from them than reach allows.",
            "Nothing: they walk closer. If all are refused, the app sends no newer positions."
        ),
        ("quota_area", "Somebody has left as many things in one cell as one may.", limit),
        (
            "restricted_area", "A place, or a way to it, lies in an area that the settings restrict.",
            "Nothing, unless the area should be open."
        ),
        ("data_too_large", "An app's own data on a thing is larger than it may be.", apps),
        ("own_post", "Somebody voted on what they wrote themselves.", apps),
        ("post_expired", "A text had come to its end.", theirs),
        ("edit_window_closed", "The time in which a text may be edited was over.", theirs),
    ]

    private static let ofTours: [Row] = [
        ("tour_in_progress", "The person is on a tour.", theirs),
        ("payment_required", "A tour has to be bought first.", theirs),
        ("read_only_tour", "Somebody on a tour wanted to leave or change something.", theirs),
        ("invalid_price", "A price is not possible.", theirs),
        ("invalid_link", "A link of a tour cannot be used.", theirs),
        ("invalid_route", "A route or an area is not possible.", theirs),
        ("off_route", "A part of a tour is too far from its route.", theirs),
        ("tour_incomplete", "A tour lacks something that a published one needs.", theirs),
        ("space_full", "A draft of a tour is as large as it may be.", limit),
    ]
}
