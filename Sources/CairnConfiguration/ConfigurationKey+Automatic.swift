internal import CairnCore
internal import Foundation

/// The defaults that follow from other settings or from the environment.
extension ConfigurationKey.Automatic {
    /// `limit`, but none where a connection's address tells nothing: on loopback. Behind a proxy it is that of the
    /// clients whom trusted proxies name.
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

    /// True where only this machine comes in, so that `cairn serve` works without a question.
    static let openWhereLocal = Self(rule: "true on a loopback address, unless behind a proxy") { configuration, _ in
        configuration.accounts.open = configuration.listen.isLoopback && !configuration.listen.behindProxy
        if configuration.listen.behindProxy { return "behind a proxy" }
        return configuration.listen.isLoopback ? "on a loopback address" : "not on a loopback address"
    }

    /// Where systemd or the desktop standard puts sockets, else beside the database. A server that has a folder of its
    /// own for the database has its socket there, so that two of one user do not meet.
    static let statsSocket = Self(
        rule: "$RUNTIME_DIRECTORY/stats.sock, else with the usual storage.path $XDG_RUNTIME_DIR/cairn/stats.sock, "
            + "else stats.sock in storage.path"
    ) { configuration, environment in
        if let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first {
            configuration.stats.socketPath = folder + "/stats.sock"
            return "$RUNTIME_DIRECTORY"
        }
        var usual = Configuration()
        // Where there is no usual folder, storage.path has said so already.
        _ = try? stateFolder.resolve(&usual, environment)
        let storage = configuration.storage.path ?? "."
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), storage == usual.storage.path {
            configuration.stats.socketPath = folder + "/cairn/stats.sock"
            return "$XDG_RUNTIME_DIR"
        }
        configuration.stats.socketPath = storage + "/stats.sock"
        return "in storage.path"
    }

    /// The folder for state that systemd, the desktop standard or the home folder gives.
    static let stateFolder = Self(
        rule: "$STATE_DIRECTORY, else $XDG_STATE_HOME/cairn, else ~/.local/state/cairn"
    ) { configuration, environment throws(ConfigurationError) in
        // systemd gives several folders with colons between them; the first is the unit's own.
        if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
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

    /// Where systemd or the desktop standard puts what is not to lie with the data, else beside the folder of the data.
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

    /// Backups are beside the data by default; operators with another disk set it.
    static let backupFolder = Self(rule: "backups in storage.path") { configuration, _ in
        configuration.backup.directory = (configuration.storage.path ?? ".") + "/backups"
        return "in storage.path"
    }
}

extension ConfigurationKey {
    /// The keys whose defaults follow from other settings or from the environment.
    static let automatics: [String: Automatic] = [
        "accounts.open": .openWhereLocal,
        "storage.path": .stateFolder,
        "storage.keyFile": .keyFile,
        "backup.directory": .backupFolder,
        "stats.socketPath": .statsSocket,
        "listen.connectionsPerAddress": .unlessLocal(256, \.listen.connectionsPerAddress),
        "listen.handshakesPerSecondPerAddress": .unlessLocal(25, \.listen.handshakesPerSecondPerAddress),
        "listen.tlsHandshakesPerSecondPerAddress": .unlessLocal(20, \.listen.tlsHandshakesPerSecondPerAddress),
        "listen.signInsPerMinutePerAccount": .unlessLocal(60, \.listen.signInsPerMinutePerAccount),
    ]
}
