internal import CairnCore
internal import CairnConfiguration
internal import CairnCredentials
internal import CairnStore
internal import CairnWire

/// Changes the password, and signs all other devices out (ACC-9).
struct ChangePassword: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireChangePassword

    init(_ body: WireChangePassword) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        let password = try SignUpRules(of: applicant.frontEnd, signIn.accounts).password(body.password)
        var credentials = try await signIn.confirm(body.current, of: user, applicant)
        // Guesses use nothing of the allowance up.
        try await signIn.admitChange(of: user.account)
        credentials.password = try await signIn.hash(password, for: applicant).text
        credentials.passwordChanged = signIn.clock.now
        let notes = signIn.noting(
            .passwordChanged, of: user.account, to: credentials.provedAddress, in: applicant.language)
        let token = try await signIn.endOthers(of: user, standing + [credentials.update] + notes)
        signIn.services.postman.poke()
        return .newToken(token, of: user, notified: [user.account])
    }
}

/// Lists where the person is signed in (ACC-5).
struct ListDevices: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireListDevices) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        var list = WireDeviceList()
        list.devices = try await signIn.devices(of: user.account).compactMap { token in
            guard let label = token.label else { return nil }
            var device = WireDevice()
            device.id = label.name.description
            device.name = label.deviceName
            device.frontEnd = label.frontEnd
            device.signedIn = token.signedIn.milliseconds
            device.used = token.used.milliseconds
            device.isThis = label.name == user.token
            return device
        }
        return .answered(.deviceList(list))
    }
}

/// Signs another device out, or all others (ACC-5).
struct EndDevice: EntranceCommand {
    static let sender = EntranceSender.user

    /// Nil = all but this one.
    private let device: TokenName?

    init(_ body: WireEndDevice) throws(Refusal) {
        device = TokenName(body.id)
        guard (device != nil && !body.others) || (body.id.isEmpty && body.others) else {
            throw Refusal(
                .invalidField, "id: the id of a device, or others", component: SignIn.component,
                details: ["field": "id"])
        }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let device else {
            return .newToken(try await signIn.endOthers(of: user, []), of: user)
        }
        let tokens = try await signIn.devices(of: user.account)
        guard let token = tokens.first(where: { $0.label?.name == device }) else {
            throw Refusal(.notFound, "no device of that id is signed in", component: SignIn.component)
        }
        try await signIn.end(token.print)
        return .answered(.done(WireDone()), ending: .devices([device], of: user.account))
    }
}

extension SignIn {
    /// The tokens of an account, latest used first.
    func devices(of account: AccountID) async throws -> [TokenRecord] {
        let rows = try await store.read([TokenRecord.query(of: account, countMax: Self.devicesMax)])[0]
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        return tokens(in: rows, &damage)
    }

    /// Ends every token of an account and gives this device another one. On disk when it returns, with `changes`.
    /// - Returns: the device's new token; nil = it has one of an app's backend, which it keeps: none of the server's
    ///   own outlives it (ACC-12).
    func endOthers(of user: Applicant.User, _ changes: [Statement]) async throws -> String? {
        let token = Secret.make()
        guard let print = Self.print(of: token) else { preconditionFailure("a token is shorter than the longest") }
        for _ in 0..<Self.attemptsMax {
            guard let row = try await store.read([AccountRecord.query(user.account)])[0].first else { break }
            var account = try AccountRecord(row)
            // A sign-in that has ended meanwhile has no successor.
            if let print = user.storedPrint {
                guard try await !store.read([TokenRecord.query(print)])[0].isEmpty else {
                    throw Refusal(.notSignedIn, component: Self.component)
                }
            }
            let old = try await devices(of: user.account).first { $0.label?.name == user.token }
            let label = TokenLabel(
                name: TokenName(of: token), device: old?.label?.device, deviceName: old?.label?.deviceName ?? "",
                frontEnd: old?.label?.frontEnd ?? "")
            let now = clock.lasting
            account.endTokens(issuedUntil: now)
            if user.isOfApp {
                let ending = [account.update, TokenRecord.removals(of: account.id)]
                if try await isCommitted(changes + ending) { return nil }
                continue
            }
            let statements =
                [account.update, TokenRecord.insertion(print, account: account.id, at: now + .milliseconds(1), label)]
                + (old.map { [NotificationDevice.succession(of: $0.print, by: print)] } ?? [])
                + [TokenRecord.removals(of: account.id, except: print)]
            if try await isCommitted(changes + statements) { return token }
        }
        throw Refusal(.tryAgain, component: Self.component)
    }
}

extension EntranceOutcome {
    /// The connection goes by another token, if it gets one; all others are signed out, those with the same token as
    /// well.
    fileprivate static func newToken(
        _ token: String?, of user: Applicant.User, notified: [AccountID] = []
    ) -> Self {
        guard let token else {
            return .answer(
                EntranceAnswer(
                    result: .done(WireDone()), ending: .all(of: user.account, except: nil), notified: notified))
        }
        var answer = WireNewToken()
        answer.token = token
        return .answer(
            EntranceAnswer(
                result: .newToken(answer), ending: .all(of: user.account, except: user.participant),
                token: token, notified: notified))
    }
}
