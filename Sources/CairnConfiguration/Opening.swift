internal import CairnCore
internal import CairnText

/// What the command line says about open sign-in and the stand-ins for mail, push, identity, payment and receipts.
///
/// A proxy that adds no header, as nginx does by default, looks like a process of this machine, and settings files are
/// copied between machines. So only an option on the command line opens a server.
public enum Opening: Sendable {
    /// The command does not start a server, so the settings are not checked for it.
    case notJudged
    /// No word: sign-in is not open, and there are no stand-ins.
    case closed
    /// `--demo`: open where only this machine can connect.
    case whereLocal
    /// `--open`: open, or refused.
    case demanded
}

extension Configuration {
    /// Whether only this machine can connect, as far as the settings tell.
    var isLocal: Bool { listen.isLoopback && !listen.behindProxy }

    /// Whether a stand-in takes the place of a service.
    public var standsIn: Bool { !standIns.isEmpty }

    /// Where the server is, in a sentence.
    var place: String { listen.behindProxy ? "behind a proxy" : "on listen.address \(listen.address)" }
}

extension ConfigurationKey {
    /// The setting of open sign-in.
    static let open = "accounts.open"
}

extension LoadedConfiguration {
    /// Whether the command line asks for open sign-in and stand-ins, by a word or by the setting itself.
    static func isOpened(by sources: ConfigurationSources) -> Bool {
        switch sources.opening {
        case .whereLocal, .demanded: true
        case .closed, .notJudged: sources.overrides[ConfigurationKey.open] == "true"
        }
    }

    /// Opens sign-in as the command line says. A setting of the command line itself is stronger.
    static func open(
        _ configuration: inout Configuration, _ origins: inout [String: ConfigurationOrigin], _ opening: Opening
    ) {
        guard origins[ConfigurationKey.open] != .flag else { return }
        switch opening {
        case .notJudged, .closed: return
        case .whereLocal: guard configuration.isLocal else { return }
        case .demanded: break
        }
        configuration.accounts.open = true
        origins[ConfigurationKey.open] = .flag
    }

    /// Settings of a file or of the environment that only a word on the command line makes good.
    static func unasked(
        _ configuration: Configuration, _ origins: [String: ConfigurationOrigin], _ opening: Opening
    ) -> [String] {
        guard case .closed = opening, !configuration.isOpened else { return [] }
        var found: [String] = []
        if configuration.accounts.open, let origin = origins[ConfigurationKey.open] {
            found.append(refusal(ofOpen: "true", origin))
        }
        for (name, harm) in configuration.standIns {
            guard let origin = origins[name], origin != .flag else { continue }
            found.append(
                "\(name): got builtin (\(origin)), which \(harm): write `\(name.leaf): off` or a command, or start "
                    + "a trial on this machine with `cairn serve --open`")
        }
        return found
    }

    /// What is wrong with a value of `accounts.open` that the server took once, and the line to write in its place.
    static func refusal(ofOpen value: String, _ origin: ConfigurationOrigin) -> String {
        "\(ConfigurationKey.open): got \(value) (\(origin)): sign-in under any name is asked for on the command line "
            + "alone; write `open: false` there, and start a trial on this machine with `cairn serve --open`"
    }
}

extension String {
    /// What stands behind the dot of a setting's name.
    fileprivate var leaf: String { String(self[(firstPlace(of: ".").map { index(after: $0) } ?? startIndex)...]) }
}
