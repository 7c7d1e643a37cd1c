public import CairnWire

extension Turn {
    /// The name of a person on what they have placed or posted, as a viewer may see it (PRF-5); empty = hidden.
    /// - Parameter areFriends: whether the two are friends; nil = not known yet.
    /// - Returns: nil if that has to be known first: ask the store (`Relation.query`).
    public func shownName(of person: AccountID, to viewer: AccountID, areFriends: Bool? = nil) -> String? {
        if person != viewer {
            switch names.privacy(of: person).interactions {
            case .everyone: break
            case .nobody: return ""
            case .friends:
                guard let areFriends else { return nil }
                guard areFriends else { return "" }
            }
        }
        return names.people.name(of: person) ?? ""
    }

    /// People with their present names, in alphabetical order. Those who are gone are left out.
    public func users(_ accounts: [AccountID]) -> [WireUser] {
        accounts.compactMap(user).sorted { ($0.name, $0.account) < ($1.name, $1.account) }
    }

    /// A person with the present name; nil = is gone.
    public func user(_ account: AccountID) -> WireUser? {
        names.people.name(of: account).map { name in
            var user = WireUser()
            user.account = self.name(of: account)
            user.name = name
            return user
        }
    }
}
