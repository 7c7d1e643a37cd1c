internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A change of how one gets in to an account (ACC-13), with what undoes it.
enum AccessChange: Equatable, Sendable {
    /// An account without a password got one; the email is that of before.
    case passwordAdded(before: CredentialsRecord.Email?)
    case passwordChanged
    /// A new email waits to be proved.
    case emailAsked
    /// The email that waited is proved; the one here is that of before.
    case emailChanged(before: CredentialsRecord.Email?)
    case providerLinked(Identity)
    case providerUnlinked(Identity)
    /// One that had been unlinked has led back to the account, and is linked again.
    case providerReturned(Identity)
    /// A reset or an operator's sign-out has ended the link. Nobody undoes that.
    case providerEnded(Identity)
    /// An account with a password, which signs in by its name, has another one; the one here is that of before.
    case nameChanged(before: String)
    /// One-time codes are asked for from now on, with new recovery codes.
    case codesOn
    /// They are asked for no more; what is here was asked for.
    case codesOff(CredentialsRecord.OneTime?)

    /// A provider's account.
    struct Identity: Hashable, Sendable {
        let provider: String
        let subject: String

        init(provider: String, subject: String) { (self.provider, self.subject) = (provider, subject) }

        init(_ record: ProviderIdentityRecord) { self.init(provider: record.provider, subject: record.subject) }
    }

    /// Never changed: it is stored.
    var name: StaticText {
        switch self {
        case .passwordAdded: "password_added"
        case .passwordChanged: "password_changed"
        case .emailAsked: "email_asked"
        case .emailChanged: "email_changed"
        case .providerLinked: "provider_linked"
        case .providerUnlinked: "provider_unlinked"
        case .providerReturned: "provider_returned"
        case .providerEnded: "provider_ended"
        case .nameChanged: "name_changed"
        case .codesOn: "codes_on"
        case .codesOff: "codes_off"
        }
    }

    /// On the wire the label of the notification, and what a mail has words for. To the person one that has come back
    /// is linked, and one that has ended is unlinked.
    var label: StaticText {
        switch self {
        case .providerReturned(let identity): Self.providerLinked(identity).name
        case .providerEnded(let identity): Self.providerUnlinked(identity).name
        default: name
        }
    }

    /// The provider's account that it is about; nil = none.
    var identity: Identity? {
        switch self {
        case .providerLinked(let identity), .providerUnlinked(let identity), .providerReturned(let identity),
            .providerEnded(let identity):
            identity
        default: nil
        }
    }

    /// Whether the link of a mail, of this change or of one before it, takes it back.
    var isUndoable: Bool { if case .providerEnded = self { false } else { true } }

    /// The words of a mail.
    func words(in texts: Texts) -> String {
        texts["access.\(label.text)", ["provider": identity?.provider ?? ""]]
    }

    // MARK: Storage

    var values: [SQLValue] {
        switch self {
        case .passwordAdded(let email), .emailChanged(let email):
            [
                .text(name.text), .text(email?.address.text ?? ""), .time(email?.since ?? .epoch),
                email?.verified.map { .time($0) } ?? .null,
            ]
        case .providerLinked(let identity), .providerUnlinked(let identity), .providerReturned(let identity),
            .providerEnded(let identity):
            [.text(name.text), .text(identity.provider), .text(identity.subject)]
        case .nameChanged(let before): [.text(name.text), .text(before)]
        case .codesOff(let codes?):
            [.text(name.text), .blob(codes.secret), .integer(codes.lastStep)]
                + codes.recoveryHashes.map { .blob($0) }
        case .passwordChanged, .emailAsked, .codesOn, .codesOff(nil): [.text(name.text)]
        }
    }

    /// Reads `values`, which begin at a column.
    init(_ sealed: Row, at first: Int) throws(ColumnFault) {
        switch try sealed.text(first) {
        case "password_added": self = .passwordAdded(before: try Self.email(sealed, first + 1))
        case "password_changed": self = .passwordChanged
        case "email_asked": self = .emailAsked
        case "email_changed": self = .emailChanged(before: try Self.email(sealed, first + 1))
        case "provider_linked": self = .providerLinked(try Self.identity(sealed, first + 1))
        case "provider_unlinked": self = .providerUnlinked(try Self.identity(sealed, first + 1))
        case "provider_returned": self = .providerReturned(try Self.identity(sealed, first + 1))
        case "provider_ended": self = .providerEnded(try Self.identity(sealed, first + 1))
        case "name_changed": self = .nameChanged(before: try sealed.text(first + 1))
        case "codes_on": self = .codesOn
        case "codes_off": self = .codesOff(try Self.codes(sealed, first + 1))
        default: throw ColumnFault(first, .outOfRange)
        }
    }

    private static func email(_ sealed: Row, _ column: Int) throws(ColumnFault) -> CredentialsRecord.Email? {
        let text = try sealed.text(column)
        guard !text.isEmpty else { return nil }
        guard let address = EmailAddress(stored: text) else { throw ColumnFault(column, .unreadable) }
        return CredentialsRecord.Email(
            address: address, since: try sealed.wallTime(column + 1),
            verified: try sealed.wallTimeIfAny(column + 2))
    }

    private static func identity(_ sealed: Row, _ column: Int) throws(ColumnFault) -> Identity {
        Identity(provider: try sealed.text(column), subject: try sealed.text(column + 1))
    }

    private static func codes(_ sealed: Row, _ column: Int) throws(ColumnFault) -> CredentialsRecord.OneTime? {
        guard sealed.values.count > column else { return nil }
        var hashes: [[UInt8]] = []
        for hash in column + 2..<max(column + 2, sealed.values.count) { hashes.append(try sealed.blob(hash)) }
        return CredentialsRecord.OneTime(
            secret: try sealed.blob(column), lastStep: try sealed.integer(column + 1), isOn: true,
            recoveryHashes: hashes)
    }
}
