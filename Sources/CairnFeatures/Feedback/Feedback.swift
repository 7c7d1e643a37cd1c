public import CairnCore
public import CairnWire

extension MessageKind {
    static let sendFeedback = MessageKind(field: 90, name: "send_feedback")
}

/// Telling those who make the apps what one thinks of them (STA-5). Decided by the sender's own account: it needs no
/// place, and the allowance stands there too.
public struct Feedback: Feature {
    public static let name = "feedback"
    public static let changes: [MessageKind] = [.sendFeedback]
    public static let counts: [StaticText] = ["feedback"]

    static let versionBytesMax = 64
    /// Bytes of UTF-8 that a character may have on average; a short text of pictures has room for their parts.
    private static let characterBytes = 4
    private static let bytesMin = 64
    static let ratings: ClosedRange<UInt32> = 1...5

    public var rules: Rules

    public init(rules: Rules) {
        self.rules = rules
    }

    public static func home(for request: Request, rules: Rules) throws(Refusal) -> HomeAddress {
        .account(request.sender.account)
    }

    public mutating func receive(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WireSendFeedback.self, from: request.payload)
        try check(body)
        let id: FeedbackID = turn.newIdentifier()
        var taken = WireFeedbackTaken()
        taken.feedback = id.description
        return [
            .write(Self.insertion(of: body, as: id, by: request.sender.account, at: turn.now)),
            .answer(request, .success(.feedbackTaken(taken))),
            .count("feedback"),
        ]
    }

    private func check(_ body: WireSendFeedback) throws(Refusal) {
        guard rules.feedbackCategories.contains(body.category) else {
            throw wrong(
                "category",
                "\"\(body.category.prefix(64))\" is not one of "
                    + rules.feedbackCategories.joined(separator: ", "))
        }
        guard body.text.contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.textEmpty, "say something", component: Self.name, details: ["field": "text"])
        }
        let (length, bytes) = (body.text.count, body.text.utf8.count)
        // A character may be many code points, but not any number of them.
        let bytesMax = max(Self.bytesMin, Self.characterBytes * rules.feedbackCharactersMax)
        guard bytes <= bytesMax else {
            throw Refusal(
                .textTooLong, "\(bytes) bytes, the limit is \(bytesMax)", component: Self.name,
                details: ["field": "text", "count": "\(bytes)", "limit": "\(bytesMax)", "unit": "bytes"])
        }
        guard length <= rules.feedbackCharactersMax else {
            throw Refusal(
                .textTooLong, "\(length) characters, the limit is \(rules.feedbackCharactersMax)",
                component: Self.name,
                details: ["field": "text", "count": "\(length)", "limit": "\(rules.feedbackCharactersMax)"])
        }
        guard body.appVersion.utf8.count <= Self.versionBytesMax else {
            throw wrong("app_version", "longer than \(Self.versionBytesMax) bytes")
        }
        let given = [
            ("rating", body.hasRating, body.rating), ("intuitive", body.hasIntuitive, body.intuitive),
            ("satisfying", body.hasSatisfying, body.satisfying),
            ("undistracting", body.hasUndistracting, body.undistracting),
        ]
        for (field, isThere, value) in given where isThere && !Self.ratings.contains(value) {
            throw wrong(field, "\(value) is not 1 to 5")
        }
    }

    private func wrong(_ field: String, _ message: String) -> Refusal {
        Refusal(.invalidField, "\(field): \(message)", component: Self.name, details: ["field": field])
    }
}
