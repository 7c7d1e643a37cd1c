internal import CairnCore
internal import Foundation

/// What a token of an app's backend has to say, and what it means: decisions only, on claims whose signature is good.
struct AppTokenRules: Equatable, Sendable {
    var issuers: [String] = []
    var audiences: [String] = []
    /// How far the backend's clock and this one may be apart.
    var leeway = Duration.seconds(30)
    var nameClaim = "name"
    var organisationClaim = "org"
    var revokedClaim = "revoked_before"

    private static let subjectBytesMax = 255
    /// Seconds since 1970 beyond which a number is no time: the year 9999.
    private static let secondsMax = 253_402_300_799.0

    func identity(from claims: [String: AppClaim], now: WallTime) throws(AppTokenFault) -> AppIdentity {
        guard case .text(let issuer)? = claims["iss"], issuers.contains(issuer) else { throw .issuer }
        guard isForUs(claims["aud"]) else { throw .audience }
        guard case .text(let subject)? = claims["sub"], (1...Self.subjectBytesMax).contains(subject.utf8.count),
            !subject.utf8.contains(0)
        else { throw .subject }
        guard let expires = Self.time(claims["exp"]) else { throw .expiry }
        guard expires + leeway > now else { throw .expired }
        guard let issued = Self.time(claims["iat"]), issued <= now + leeway else { throw .time }
        if let claim = claims["nbf"] {
            guard let begins = Self.time(claim), begins <= now + leeway else { throw .time }
        }
        var revokedBefore = WallTime.epoch
        if let claim = claims[revokedClaim] {
            guard let time = Self.time(claim) else { throw .time }
            // A token that is too old by its own account must not lock the account.
            guard time <= issued else { throw .revoked }
            revokedBefore = time
        }
        guard case .text(let name)? = claims[nameClaim] else { throw .name }
        var isOrganisation = false
        if case .text(let organisation)? = claims[organisationClaim] { isOrganisation = !organisation.isEmpty }
        return AppIdentity(
            issuer: issuer, subject: subject, name: name, isOrganisation: isOrganisation, issued: issued,
            expires: expires + leeway, revokedBefore: revokedBefore)
    }

    private func isForUs(_ claim: AppClaim?) -> Bool {
        switch claim {
        case .text(let audience)?: audiences.contains(audience)
        case .texts(let named)?: named.contains { audiences.contains($0) }
        default: false
        }
    }

    /// The time of a NumericDate (RFC 7519 2).
    static func time(_ claim: AppClaim?) -> WallTime? {
        guard case .number(let seconds)? = claim, (0...secondsMax).contains(seconds) else { return nil }
        return WallTime(milliseconds: Int64(seconds * 1_000))
    }
}

/// The person that a token of an app's backend names.
struct AppIdentity: Equatable, Sendable {
    /// With `subject` the account's name among all backends; compared byte by byte.
    let issuer: String
    let subject: String
    /// Name to show, not checked yet.
    let name: String
    let isOrganisation: Bool
    let issued: WallTime
    /// When the connection becomes a guest, leeway included.
    let expires: WallTime
    /// Tokens of the account that were issued before this are no longer good; `epoch` = none.
    let revokedBefore: WallTime

    /// Never admin: the app's backend appoints none (ACC-12).
    var role: Role { isOrganisation ? .organisation : .general }
    /// Issuer and subject as one text: neither holds a zero byte in between.
    var text: String { issuer + "\0" + subject }
}
