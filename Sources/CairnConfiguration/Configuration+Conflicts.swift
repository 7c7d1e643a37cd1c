internal import CairnCore
internal import CairnFeatures

extension Configuration {
    /// Conflicts between settings, each with the remedy. Empty when there is none.
    var conflicts: [String] {
        exposureConflicts + orderConflicts
    }

    /// Combinations that would let unauthorised clients in, or expose traffic in plain text (SES-1).
    private var exposureConflicts: [String] {
        var found: [String] = []
        if (listen.tlsCertificate == nil) != (listen.tlsKey == nil) {
            let (given, missing) =
                listen.tlsKey == nil
                ? ("listen.tlsCertificate", "listen.tlsKey") : ("listen.tlsKey", "listen.tlsCertificate")
            found.append("\(given) is set without \(missing): set both, or neither")
        }
        if !listen.isLoopback && !listen.isTLS && !listen.hasProxyElsewhere {
            let proxy =
                listen.behindProxy
                ? "name the proxy's private address in listen.trustedProxies"
                : "set listen.behindProxy to true and name the proxy's private address in listen.trustedProxies if a "
                    + "proxy terminates TLS"
            found.append(
                "listen.address \(listen.address) would serve others in plain text: set listen.tlsCertificate and "
                    + "listen.tlsKey, or \(proxy), or set listen.address to 127.0.0.1")
        }
        found += listenerConflicts
        if accounts.open && !isLocal {
            found.append(
                "accounts.open true \(place) would let anybody in under any name: start without --open, set it to "
                    + "false, or serve on 127.0.0.1 without listen.behindProxy")
        }
        found += appTokenConflicts + adaptorConflicts(isLocal: isLocal, place: place)
        if debug.echoPath != nil && !isLocal {
            found.append(
                "debug.echoPath is set \(place): remove it, or serve on 127.0.0.1 without listen.behindProxy")
        }
        return found
    }

    /// Operators that would be served in plain text, and TLS that would hide from the server what a proxy says.
    private var listenerConflicts: [String] {
        var found: [String] = []
        if let own = stats.listener.flatMap(NetworkAddress.parts), !NetworkAddress.isLoopback(own.address),
            !listen.isTLS && !listen.hasProxyElsewhere
        {
            let remedy =
                listen.behindProxy
                ? "name the private address of the proxy that reaches it in listen.trustedProxies"
                : "set listen.tlsCertificate and listen.tlsKey"
            found.append(
                "stats.listener \(own.address) would serve operators in plain text: \(remedy), or set "
                    + "stats.listener to 127.0.0.1:\(own.port)")
        }
        // TLS hides heads from the server's own reading of them (CWebSockets/heads.c), and so what a client puts before
        // the lines of the proxy.
        if listen.behindProxy && listen.isTLS {
            found.append(
                "listen.behindProxy true with listen.tlsCertificate: clients could hide what the proxy says of them; "
                    + "remove listen.tlsCertificate and listen.tlsKey and let the proxy terminate TLS, or set "
                    + "listen.behindProxy to false if no proxy is in front")
        }
        return found
    }

    /// Sign-in by a backend needs an issuer, an audience and a key. With only some of the three no token would be
    /// accepted.
    private var appTokenConflicts: [String] {
        let isWanted = [
            ("appTokens.issuers", !appTokens.issuers.isEmpty), ("appTokens.audiences", !appTokens.audiences.isEmpty),
            ("appTokens.keyFiles or appTokens.jwksFiles", !(appTokens.keyFiles + appTokens.jwksFiles).isEmpty),
        ]
        let missing = isWanted.filter { !$0.1 }.map(\.0)
        guard !missing.isEmpty, missing.count < isWanted.count else { return [] }
        let given = isWanted.filter(\.1).map(\.0).joined(separator: ", ")
        return ["\(given): set without \(missing.joined(separator: ", ")): set all, or none"]
    }

    /// Pairs of settings of which the first must not exceed the second.
    private var orderConflicts: [String] {
        var found: [String] = []
        func tell(_ first: String, _ relation: String, _ second: String) {
            let values = ConfigurationKey.all.filter { $0.name == first || $0.name == second }
                .map { "\($0.name) is \($0.read(self).plain)" }
            found.append("\(first) must be \(relation) \(second): \(values.joined(separator: ", "))")
        }
        func check(_ isRight: Bool, _ first: String, _ relation: String, _ second: String) {
            if !isRight { tell(first, relation, second) }
        }
        check(
            connections.silenceSeconds > connections.pingSeconds,
            "connections.silenceSeconds", "more than", "connections.pingSeconds")
        check(
            connections.messagesBurst >= connections.messagesPerSecond,
            "connections.messagesBurst", "at least", "connections.messagesPerSecond")
        check(
            connections.bytesBurst >= connections.bytesPerSecond,
            "connections.bytesBurst", "at least", "connections.bytesPerSecond")
        check(
            connections.receiveBufferBytes <= connections.messageBytesMax,
            "connections.receiveBufferBytes", "at most", "connections.messageBytesMax")
        check(
            accounts.nameCharactersMax >= accounts.nameCharactersMin,
            "accounts.nameCharactersMax", "at least", "accounts.nameCharactersMin")
        check(
            assets.pictureBytesMax <= assets.bytesMax, "assets.pictureBytesMax", "at most", "assets.bytesMax")
        check(
            storage.retryMaxMilliseconds >= storage.retryFirstMilliseconds,
            "storage.retryMaxMilliseconds", "at least", "storage.retryFirstMilliseconds")
        for settings in Features.register.settings {
            for conflict in features.conflicts(of: settings) {
                tell(
                    "\(settings.section).\(conflict.first)", conflict.relation,
                    "\(settings.section).\(conflict.second)")
            }
        }
        if cellsInView > 256 {
            found.append(
                "cells.viewRadiusMetres \(cells.viewRadiusMetres) at cells.level \(cells.level) makes a view of about "
                    + "\(cellsInView) cells, and 256 is the most: lower the level or the radius")
        }
        return found
    }

    /// Estimates how many cells the widest view touches: the cells in the square around the view.
    private var cellsInView: Int {
        // The average edge of an S2 cell is 7,842 km at level 0 and halves with each level.
        let edge = 7_842_000.0 / Double(1 << cells.level)
        let across = 2 * cells.viewRadiusMetres * (1 + cells.viewHysteresis) / edge + 1
        return Int((across * across).rounded(.up))
    }
}

extension Settings {
    fileprivate func conflicts<Values: FeatureSettings>(of type: Values.Type) -> [SettingConflict] {
        self[type].conflicts
    }
}
