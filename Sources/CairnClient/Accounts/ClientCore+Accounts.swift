internal import CairnWire

/// Accounts: signing up and in, passwords, devices, one-time codes, providers (ACC-1 to ACC-10).
extension ClientCore {
    /// Goes by what an answer says about the sign-in.
    /// - Returns: the welcome, if the answer has signed a guest in.
    mutating func follow(_ result: WireReply.OneOf_Result) -> WireWelcome? {
        switch result {
        case .welcome(let welcome):
            self.welcome = welcome
            profile.token = welcome.token
            if !welcome.deviceKey.isEmpty { profile.deviceKey = welcome.deviceKey }
            return welcome
        case .newToken(let new):
            profile.token = new.token
            return nil
        case .realmSelected(let selected):
            profile.realm = selected.realm
            return nil
        case .settingList(let list):
            keep(list.settings)
            return nil
        default: return nil
        }
    }

    /// Settings as the server has them, in place of those of the welcome. The time of the edit is the version of a
    /// setting: one that is older than what is known changes nothing.
    /// - Returns: those that are news.
    @discardableResult
    mutating func keep(_ settings: [WireSetting]) -> [WireSetting] {
        var known = Dictionary((welcome?.settings ?? []).map { ($0.key, $0) }) { $1 }
        var news: [WireSetting] = []
        for setting in settings where known[setting.key].map({ $0.edited <= setting.edited }) ?? true {
            known[setting.key] = setting
            news.append(setting)
        }
        welcome?.settings = known.values.sorted { $0.key < $1.key }
        return news
    }
}
