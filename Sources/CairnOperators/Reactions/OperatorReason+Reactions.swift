extension OperatorReason {
    static let ofReactions: [OperatorReason] = rows(
        .refusals, [("unknown_reaction", "A reaction is none of those on offer.", apps)])
}
