internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnText
internal import CairnWire
internal import Logging

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
        guard name.utf8.count <= 4 * deviceNameMax, name.count <= deviceNameMax else {
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
    ///   - tokens: the account's, latest used first. One of the same device is replaced once the sign-in is admitted.
    func begin(
        _ account: AccountRecord, for applicant: Applicant, deviceKey: String, deviceName: String,
        replacing tokens: [TokenRecord]
    ) -> Beginning {
        let (token, now) = (Secret.make(), clock.lasting)
        let key = deviceKey.isEmpty ? Secret.make() : deviceKey
        let device = TokenName(of: key)
        let label = TokenLabel(
            name: TokenName(of: token), device: device, deviceName: deviceName.inOneLine,
            frontEnd: applicant.frontEnd.name)
        guard let print = Self.print(of: token) else { preconditionFailure("a token is shorter than the longest") }
        // Later than the end of older ones, also within one millisecond.
        let issued = max(now, account.tokensEndedUntil + .milliseconds(1))
        var sources = [FamiliarRecord.Source.device(key: key)]
        if let address = applicant.address { sources.append(.address(address)) }
        let statements =
            [TokenRecord.insertion(print, account: account.id, at: issued, label)]
            + FamiliarRecord.notes(account.id, sources, at: now)
        var signedIn = SignedIn(account: account.id, name: account.name, role: account.role, token: token)
        (signedIn.deviceKey, signedIn.hasNewToken) = (key, true)
        signedIn.replacesTokens = tokens.count >= Self.devicesMax || tokens.contains { $0.label?.device == device }
        return Beginning(signedIn: signedIn, statements: statements)
    }

    /// Ends the tokens that a new one replaces: those of the same device, which goes on with what it has received, and
    /// those beyond `devicesMax`. A failure is in the log, and they are good until the device's next sign-in.
    /// - Returns: the ended ones. They have ended on disk.
    func replaceTokens(by token: String, of account: AccountID) async -> Set<TokenName> {
        guard let print = Self.print(of: token) else { return [] }
        do {
            for _ in 0..<Self.attemptsMax {
                var damage: [DamagedRow] = []
                let query = TokenRecord.query(of: account, countMax: Self.devicesMax + 1)
                let found = tokens(in: try await store.read([query])[0], &damage)
                store.report(damage)
                // The same device has signed in once more meanwhile: that sign-in has ended this one.
                guard let own = found.first(where: { $0.label?.name == TokenName(of: token) })?.label else { return [] }
                let others = found.filter { $0.label?.name != own.name }
                let same = others.filter { $0.label?.device == own.device }
                let ended = same + others.dropFirst(Self.devicesMax - 1).filter { $0.label?.device != own.device }
                // The rows of other tokens end with them.
                let succession = same.prefix(1).map { NotificationDevice.succession(of: $0.print, by: print) }
                if try await isCommitted(succession + ended.map(\.removal)) {
                    return Set(ended.compactMap(\.label?.name))
                }
            }
            throw Self.overtaken
        } catch {
            logger.error("replaced tokens cannot be ended", metadata: ["cause": "\(error)"])
            return []
        }
    }
}
