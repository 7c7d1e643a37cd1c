internal import CairnCore
internal import CairnText
internal import Foundation

/// The defaults that follow from other settings or from the environment.
extension ConfigurationKey.Automatic {
    /// `limit` for each address, but no limit on loopback, where all connections have the same address. Behind a proxy
    /// the limit applies to the addresses of clients, as trusted proxies name them.
    static func unlessLocal(_ limit: Int, _ path: SettingKey<Configuration>.Path<Int>) -> Self {
        Self(rule: "\(limit), but 0 on a loopback address without behindProxy") { configuration, _ in
            if configuration.listen.behindProxy {
                configuration[keyPath: path] = limit
                return "behind a proxy"
            }
            configuration[keyPath: path] = configuration.listen.isLoopback ? 0 : limit
            return configuration.listen.isLoopback ? "on a loopback address" : "not on a loopback address"
        }
    }

    /// The folder that systemd or the XDG standard gives for sockets, else the database's folder. A server with an
    /// explicit folder for the database has its socket there, so that two servers of one user do not share a socket.
    static let statsSocket = Self(
        rule: "$RUNTIME_DIRECTORY/stats.sock, else with the usual storage.path $XDG_RUNTIME_DIR/cairn/stats.sock, "
            + "else stats.sock in storage.path"
    ) { configuration, environment in
        if let folder = environment["RUNTIME_DIRECTORY"]?.pieces(at: ":").first {
            configuration.stats.socketPath = folder + "/stats.sock"
            return "$RUNTIME_DIRECTORY"
        }
        var usual = Configuration()
        // If there is no default folder, `storage.path` has reported that already.
        _ = try? stateFolder.resolve(&usual, environment)
        let storage = configuration.storage.path ?? "."
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), storage == usual.storage.path {
            configuration.stats.socketPath = folder + "/cairn/stats.sock"
            return "$XDG_RUNTIME_DIR"
        }
        configuration.stats.socketPath = storage + "/stats.sock"
        return "in storage.path"
    }

    /// The folder for state that systemd, the XDG standard or the home folder gives.
    static let stateFolder = Self(
        rule: "$STATE_DIRECTORY, else $XDG_STATE_HOME/cairn, else ~/.local/state/cairn"
    ) { configuration, environment throws(ConfigurationError) in
        // systemd separates several folders by colons; the first is the unit's own.
        if let folder = environment["STATE_DIRECTORY"]?.pieces(at: ":").first {
            configuration.storage.path = String(folder)
            return "$STATE_DIRECTORY"
        }
        // A relative value is invalid and to be ignored (XDG base directories 0.8).
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            configuration.storage.path = folder + "/cairn"
            return "$XDG_STATE_HOME"
        }
        if let home = environment["HOME"], home.hasPrefix("/") {
            configuration.storage.path = home + "/.local/state/cairn"
            return "home folder"
        }
        throw ConfigurationError([
            "storage.path: got nothing, and $STATE_DIRECTORY, $XDG_STATE_HOME and $HOME are not set; "
                + "wants the path of a folder (--data DIR)"
        ])
    }

    /// The folder that systemd or the XDG standard gives for files apart from the data, else one beside the data
    /// folder.
    static let keyFile = Self(
        rule: "$CREDENTIALS_DIRECTORY/cairn.key where it is, else $XDG_CONFIG_HOME/cairn/cairn.key, else "
            + "~/.config/cairn/cairn.key, else storage.path with .key"
    ) { configuration, environment in
        if let folder = environment["CREDENTIALS_DIRECTORY"],
            FileManager.default.fileExists(atPath: folder + "/cairn.key")
        {
            configuration.storage.keyFile = folder + "/cairn.key"
            return "$CREDENTIALS_DIRECTORY"
        }
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            configuration.storage.keyFile = folder + "/cairn/cairn.key"
            return "$XDG_CONFIG_HOME"
        }
        if let home = environment["HOME"], home.hasPrefix("/") {
            configuration.storage.keyFile = home + "/.config/cairn/cairn.key"
            return "home folder"
        }
        configuration.storage.keyFile = (configuration.storage.path ?? "cairn") + ".key"
        return "beside storage.path"
    }

    /// Backups are beside the data by default. Operators with another disk set this key.
    static let backupFolder = Self(rule: "backups in storage.path") { configuration, _ in
        configuration.backup.directory = (configuration.storage.path ?? ".") + "/backups"
        return "in storage.path"
    }
}

extension ConfigurationKey {
    /// The keys whose defaults follow from other settings or from the environment.
    static let automatics: [String: Automatic] = [
        "adaptors.mail": .builtinWhereOpened(\.adaptors.mail),
        "adaptors.push": .builtinWhereOpened(\.adaptors.push),
        "adaptors.identity": .builtinWhereOpened(\.adaptors.identity),
        "adaptors.payment": .builtinWhereOpened(\.adaptors.payment),
        "adaptors.receipts": .builtinWhereOpened(\.adaptors.receipts),
        "adaptors.mailFolder": .mailFolder,
        "adaptors.paymentFolder": .paymentFolder,
        "guests.look": .lookWhereOpened,
        "guests.viewsPerAddress": .unlessLocal(5, \.guests.viewsPerAddress),
        "guests.cellsPerMinutePerAddress": .unlessLocal(20, \.guests.cellsPerMinutePerAddress),
        "guests.megabytesPerMinutePerAddress": .unlessLocal(20, \.guests.megabytesPerMinutePerAddress),
        "guests.questionsPerMinutePerAddress": .unlessLocal(300, \.guests.questionsPerMinutePerAddress),
        "storage.path": .stateFolder,
        "storage.keyFile": .keyFile,
        "backup.directory": .backupFolder,
        "play.path": .playFolder,
        "stats.socketPath": .statsSocket,
        "listen.connectionsPerAddress": .unlessLocal(256, \.listen.connectionsPerAddress),
        "listen.handshakesPerSecondPerAddress": .unlessLocal(25, \.listen.handshakesPerSecondPerAddress),
        "listen.tlsHandshakesPerSecondPerAddress": .unlessLocal(20, \.listen.tlsHandshakesPerSecondPerAddress),
        "listen.signInsPerMinutePerAccount": .unlessLocal(60, \.listen.signInsPerMinutePerAccount),
    ]
}
