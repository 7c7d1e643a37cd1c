internal import CairnCore
internal import CairnGeo
internal import CairnServer
internal import CairnWire

extension OperatorNotice {
    /// As an operator writes it behind the command.
    init(
        _ arguments: StatsArguments, at sent: WallTime, identifiers: IdentifierIssuer
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
        self.init(text: Self.trimmed(text), audience: audience, sent: sent)
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
}
