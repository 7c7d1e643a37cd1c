internal import CairnServer
internal import Foundation
internal import Logging

/// The operators' credential: the one that was set, or one made at the first start and kept beside the world's key.
///
/// It gives every right of an operator. So whoever has the data folder alone, by a stolen disk or a backup, neither
/// reads it nor puts another in its place.
package struct OperatorCredential {
    let secret: String
    /// The file in which it is kept; nil when it was set, or where nothing can be kept.
    let path: String?
    /// Whether it is new to the operators: the first start of the world.
    let isNew: Bool

    /// - Parameters:
    ///   - configured: from the configuration.
    ///   - place: where it is kept otherwise.
    ///   - logger: is told what an operator has to know or to do.
    init(configured: String?, place: CredentialPlace, logger: Logger) throws(StatsError) {
        if let configured {
            place.note()
            self.init(secret: configured, path: nil, isNew: false)
            return
        }
        let found = try place.look()
        // Another world with the same key has its credential: this one is new all the same.
        let isNew = found.secret == nil || (!place.isNoted && found.former == nil)
        if let stray = found.stray { logger.error("\(Self.complaint(about: stray, place))") }
        let secret = found.secret ?? Secret.make()
        if !found.isKept {
            guard try place.keep(secret) else {
                logger.warning(
                    """
                    stats.credential: \(place.path) cannot be written, so the operators' credential of this start is \
                    not kept and nobody knows it. Set stats.credential, or come in by `cairn stats link`.
                    """)
                if let former = found.former { logger.error("\(Self.complaint(about: former, place))") }
                self.init(secret: Secret.make(), path: nil, isNew: true)
                return
            }
        }
        place.note()
        if let former = found.former {
            place.remove(former)
            logger.notice(
                """
                stats.credential: the operators' credential was moved from \(former) to \(place.path): a copy of the \
                data folder holds it no more. If somebody may have an older copy, remove the file and start again: \
                that makes another.
                """)
        }
        self.init(secret: secret, path: place.path, isNew: isNew)
    }

    private init(secret: String, path: String?, isNew: Bool) {
        self.secret = secret
        self.path = path
        self.isNew = isNew
    }

    /// What a start would refuse or complain of. Nothing is made, and nothing is changed.
    package static func complaint(at place: CredentialPlace) throws(StatsError) -> String? {
        try place.look().stray.map { complaint(about: $0, place) }
    }

    private static func complaint(about stray: String, _ place: CredentialPlace) -> String {
        """
        stats.credential: \(stray) is not accepted as the operators' credential, because whoever can write the data \
        folder could have put it there; the place is \(place.path). Remove the file, or set stats.credential
        """
    }
}
