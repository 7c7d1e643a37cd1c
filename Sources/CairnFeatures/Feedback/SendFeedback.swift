internal import CairnCore
internal import CairnText
internal import CairnWire

/// Sends one entry. The sender's own account is the home that decides: an entry needs no place.
struct SendFeedback: Change {
    private static let versionBytesMax = 64
    /// Bytes of UTF-8 that a character may have on average. Short texts may have more (`bytesMin`), because an emoji
    /// can consist of many code points.
    private static let characterBytes = 4
    private static let bytesMin = 64
    private static let ratings: ClosedRange<UInt32> = 1...5

    private let body: WireSendFeedback

    init(_ body: WireSendFeedback) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try check(settings.feedback)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) -> [Effect] {
        let id: FeedbackID = turn.newIdentifier()
        var taken = WireFeedbackTaken()
        taken.feedback = id.description
        return [
            .write(Feedback.insertion(of: body, as: id, by: request.sender.account, at: turn.now)),
            .answer(request, .success(.feedbackTaken(taken))),
            .count("feedback"),
        ] + mail(in: &turn)
    }

    /// The entry for the developers, without its author (STA-6).
    private func mail(in turn: inout Turn) -> [Effect] {
        guard let recipient = turn.settings.feedback.mailTo else { return [] }
        var lines = ["Category: \(body.category)"]
        if body.hasRating { lines.append("Rating: \(body.rating) of 5") }
        if !body.appVersion.isEmpty { lines.append("App version: \(Self.line(body.appVersion))") }
        let mail = OutboxEntry.mail(
            turn.newIdentifier(), kind: "feedback", to: recipient, subject: "Feedback: \(body.category)",
            text: (lines + ["", body.text]).joined(separator: "\n"), at: turn.lasting,
            until: turn.lasting + turn.settings.mailLifetime)
        return [.write(mail)]
    }

    /// A text in one line: an app's own words add no lines to what the server says.
    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let breaks: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
            line.append(breaks.contains(scalar.properties.generalCategory) ? " " : scalar)
        }
        return String(line)
    }

    private func check(_ settings: FeedbackSettings) throws(Refusal) {
        guard settings.categories.contains(body.category) else {
            throw wrong(
                "category",
                "\"\(body.category.prefix(64))\" is not one of \(settings.categories.joined(separator: ", "))")
        }
        guard !body.text.isBlank else {
            throw Refusal(.textEmpty, "say something", component: Feedback.name, details: ["field": "text"])
        }
        let (length, bytes) = (body.text.count, body.text.utf8.count)
        // A character may consist of many code points; this bounds their number.
        let bytesMax = max(Self.bytesMin, Self.characterBytes * settings.charactersMax)
        guard bytes <= bytesMax else {
            throw Refusal(
                .textTooLong, "\(bytes) bytes, the limit is \(bytesMax)", component: Feedback.name,
                details: ["field": "text", "count": "\(bytes)", "limit": "\(bytesMax)", "unit": "bytes"])
        }
        guard length <= settings.charactersMax else {
            throw Refusal(
                .textTooLong, "\(length) characters, the limit is \(settings.charactersMax)",
                component: Feedback.name,
                details: ["field": "text", "count": "\(length)", "limit": "\(settings.charactersMax)"])
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

    private func wrong(_ field: String, _ text: Refusal.Text) -> Refusal {
        Refusal(.invalidField, "\(field): \(text)", component: Feedback.name, details: ["field": field])
    }
}
