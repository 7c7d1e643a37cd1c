internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// What an operator has to say, and to whom.
struct OperatorNotice: Sendable, Equatable {
    let text: String
    let audience: Audience
    /// Milliseconds since 1970.
    let sent: Int64

    static let charactersMax = 500

    enum Audience: Sendable, Equatable {
        case everybody
        /// Those whose position is in a cell, or in one of the cells of a larger one.
        case area(CellID)
        case account(AccountID)
    }

    init(
        _ arguments: StatsArguments, at sent: Int64, identifiers: IdentifierIssuer
    ) throws(StatsRefusal) {
        var text = arguments.text[...]
        var audience = Audience.everybody
        let first = text.prefix { $0 != " " }
        if first.hasPrefix("cell=") {
            guard let cell = CellID(token: String(first.dropFirst(5))) else {
                throw StatsRefusal(.badArgument, "\(first.dropFirst(5).prefix(40)) is no cell's token")
            }
            audience = .area(cell)
        } else if first.hasPrefix("account=") {
            guard let account: AccountID = identifiers.identifier(named: String(first.dropFirst(8))) else {
                throw StatsRefusal(.badArgument, "\(first.dropFirst(8).prefix(40)) is no account's id")
            }
            audience = .account(account)
        }
        if audience != .everybody { text = text.dropFirst(first.count) }
        self.text = Self.trimmed(text)
        self.audience = audience
        self.sent = sent
        guard !self.text.isEmpty else { throw StatsRefusal(.badArgument, "wants a text to tell") }
        guard self.text.count <= Self.charactersMax else {
            throw StatsRefusal(
                .badArgument, "got \(self.text.count) characters, wants at most \(Self.charactersMax)")
        }
        guard !self.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw StatsRefusal(.badArgument, "wants one line of text without control characters")
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// As clients get it.
    var item: WireItem {
        var item = WireItem()
        item.notice.text = text
        item.notice.sent = sent
        if case .area(let cell) = audience { item.notice.cell = cell.token }
        return item
    }
}

extension Shard {
    /// Tells those of this loop's connections whom it is for.
    /// - Returns: how many.
    func tell(_ notice: OperatorNotice) -> Int {
        let item = notice.item
        var encoded: [WireFormat: [UInt8]] = [:]
        var count = 0
        for case let session? in sessions where !session.isDismissed && session.hears(notice.audience) {
            let format = session.participant.format
            let bytes = encoded[format] ?? ServerItemEncoder.encode(item, format: format)
            encoded[format] = bytes
            send(bytes, to: session.participant)
            count += 1
        }
        return count
    }
}

extension Session {
    fileprivate func hears(_ audience: OperatorNotice.Audience) -> Bool {
        switch (audience, stage) {
        case (_, .awaitingHello), (_, .signingIn): false
        case (.everybody, _): true
        case (.area(let area), _): tracker.cell.map(area.contains) ?? false
        case (.account(let account), _): user?.account == account
        }
    }
}
