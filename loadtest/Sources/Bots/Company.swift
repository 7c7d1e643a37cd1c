/// What the people of a crowd know together: their accounts, and the parts that features keep for all. Confined to the
/// loop's thread.
final class Company {
    private var accounts: [Int: String] = [:]
    private var indices: [String: Int] = [:]
    private var parts = BotParts()

    /// A bot was welcomed by this account id.
    func meet(_ bot: Int, account: String) {
        accounts[bot] = account
        indices[account] = bot
    }

    func account(of bot: Int) -> String? { accounts[bot] }

    func bot(of account: String) -> Int? { indices[account] }

    /// A feature's state of all bots together.
    subscript<Part: BotPart>(part: Part.Type) -> Part { parts.part(part) }
}
