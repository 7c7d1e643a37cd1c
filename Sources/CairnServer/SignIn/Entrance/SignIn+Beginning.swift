internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWire
internal import Crypto

/// What every sign-in that proves who somebody is has in common: a token for the device, and what is remembered of
/// where it came from (ACC-4, ACC-5).
extension SignIn {
    /// A sign-in that is not on disk yet.
    struct Beginning {
        let signedIn: SignedIn
        let statements: [Statement]
    }

    /// Characters that a device may be called by.
    private static let deviceNameMax = 64
    /// Tokens of an account. Beyond it the one that was used least lately ends.
    static let devicesMax = 100

    static func checkDeviceName(_ name: String) throws(Refusal) {
        guard name.count <= deviceNameMax, name.utf8.count <= 4 * deviceNameMax else {
            throw Refusal(
                .invalidField, "deviceName: at most \(deviceNameMax) characters", component: component,
                details: ["field": "deviceName"])
        }
    }

    /// A sign-in of a person who is proved to an account that is there: keeps what has changed of the credentials, and
    /// warns the person where neither the device nor the address is known (ACC-4).
    /// - Parameter credentials: as they are from now on; nil = the account has none.
    func begin(
        _ candidate: Candidate, _ account: AccountRecord, _ credentials: CredentialsRecord?,
        for applicant: Applicant, deviceKey: String, deviceName: String
    ) -> Beginning {
        let begun = begin(
            account, for: applicant, deviceKey: candidate.knowsDevice ? deviceKey : "", deviceName: deviceName,
            replacing: candidate.tokens)
        var (signedIn, statements) = (begun.signedIn.with(candidate.settings), begun.statements)
        if let credentials, credentials != candidate.credentials { statements.append(credentials.update) }
        if candidate.knowsAny, !candidate.isFamiliar {
            if let credentials {
                statements += warning(
                    .newDevice, to: credentials, in: candidate.settings.language ?? applicant.language)
            }
            statements.append(notification(Notification.Draft(to: account.id, kind: .newDevice)))
            signedIn.isNotified = true
        }
        return Beginning(signedIn: signedIn, statements: statements)
    }

    /// - Parameters:
    ///   - deviceKey: what the device was named at an earlier sign-in to this account; empty = it gets a new one.
    ///   - tokens: the account's, latest used first; one of the same device is replaced.
    func begin(
        _ account: AccountRecord, for applicant: Applicant, deviceKey: String, deviceName: String,
        replacing tokens: [TokenRecord]
    ) -> Beginning {
        let (token, now) = (SymmetricKey.makeSecret(), clock.lasting)
        let key = deviceKey.isEmpty ? SymmetricKey.makeSecret() : deviceKey
        let device = TokenName(of: key)
        let label = TokenLabel(
            name: TokenName(of: token), device: device, deviceName: deviceName, frontEnd: applicant.frontEnd.name)
        guard let print = Self.print(of: token) else { preconditionFailure("a token is shorter than the longest") }
        // Later than the end of older ones, also within one millisecond.
        let issued = max(now, account.tokensEndedUntil + .milliseconds(1))
        var sources = [FamiliarRecord.Source.device(key: key)]
        if let address = applicant.address { sources.append(.address(address)) }
        let ended = tokens.enumerated().filter {
            $0.element.label?.device == device || $0.offset >= Self.devicesMax - 1
        }
        // The same device goes on with what it has received; the rows of other tokens end with them.
        let same = tokens.filter { $0.label?.device == device }
        let statements =
            [TokenRecord.insertion(print, account: account.id, at: issued, label)]
            + same.prefix(1).map { NotificationDevice.succession(of: $0.print, by: print) }
            + ended.map(\.element.removal)
            + FamiliarRecord.notes(account.id, sources, at: now)
        var signedIn = SignedIn(account: account.id, name: account.name, role: account.role, token: token)
        (signedIn.deviceKey, signedIn.hasNewToken) = (key, true)
        signedIn.ended = Set(ended.compactMap(\.element.label?.name))
        return Beginning(signedIn: signedIn, statements: statements)
    }
}
