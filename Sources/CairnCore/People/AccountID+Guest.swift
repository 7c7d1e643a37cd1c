public import CairnWire

/// The accounts of nobody, by which guests who look ask their questions (SES-14). Ids that are issued have 63 bits, and
/// these have 64, so no account has such a number, and no name on the wire stands for one.
///
/// The home of such an account reads for its guests within the same bounds as for one person: guests of one network
/// share one, and so does a sixteenth of all others.
extension AccountID {
    /// How many there are.
    public static let guestCount: UInt64 = 16

    /// - Parameter share: any number; guests of one network give the same.
    public static func guest(_ share: UInt64) -> AccountID { AccountID(rawValue: .max - share % guestCount) }

    /// Whether it is nobody's.
    public var isGuest: Bool { rawValue > .max - Self.guestCount }
}
