internal import CairnCore
internal import Foundation

extension Configuration {
    /// What stands behind each outside service (EXT-1, EXT-2).
    public struct Adaptors: Sendable, Equatable {
        /// What sends mails: `builtin`, `off` or a command line. The stand-in in a `Configuration` that was not loaded;
        /// loading makes it `off` unless a word on the command line asks for it (`Opening`). The same holds for the
        /// next four.
        public var mail = Self.builtin
        /// What sends notices to devices.
        public var push = Self.builtin
        /// What checks tokens of identity providers.
        public var identity = Self.builtin
        /// What charges for purchases.
        public var payment = Self.builtin
        /// What checks receipts of app stores.
        public var receipts = Self.builtin
        /// The stores whose receipts are taken, as clients name them.
        public var receiptStores = ["app-store", "play-store"]
        /// Longest time that a call takes, in seconds.
        public var timeoutSeconds = 10
        /// Calls of one adaptor that may wait.
        public var waitingMax = 1_000
        /// Calls of one adaptor under way at once.
        public var parallelMax = 16
        /// Folder of the stand-in's mails. Loading always fills it in; nil only in a `Configuration` that was not
        /// loaded.
        public var mailFolder: String?
        /// Folder of the stand-in's charges, likewise.
        public var paymentFolder: String?
        /// Sender of mails.
        public var mailFrom = "cairn@localhost"
        /// How long a mail or a push is tried again, in hours.
        public var mailHours = 24

        /// The shipped defaults.
        public init() {}

        /// The word for the local stand-in.
        static let builtin = "builtin"
        /// The word for no service.
        static let off = "off"
    }

    /// The stand-ins of these settings, each with the harm that it does where people take it for the service.
    var standIns: [(name: String, harm: String)] {
        [
            ("adaptors.mail", adaptors.mail, "would write everybody's mails to a folder"),
            ("adaptors.push", adaptors.push, "would send no notice"),
            ("adaptors.identity", adaptors.identity, "would let anybody in as anybody"),
            ("adaptors.payment", adaptors.payment, "would sell without charging anybody"),
            ("adaptors.receipts", adaptors.receipts, "would take receipts that anybody makes up"),
        ].filter { $0.1 == Adaptors.builtin }.map { (name: $0.0, harm: $0.2) }
    }

    /// Stand-ins that would surprise others than those at this machine, and mails where copies of the data are.
    func adaptorConflicts(isLocal: Bool, place: String) -> [String] {
        var found: [String] = []
        for (name, harm) in standIns where !isLocal {
            found.append(
                "\(name) builtin \(place) \(harm): set it to off, auto or a command, or serve on 127.0.0.1 without "
                    + "listen.behindProxy")
        }
        if let folder = adaptors.mailFolder, let data = storage.path, Self.isWithin(folder, data) {
            found.append(
                "adaptors.mailFolder \(folder) is in storage.path \(data): a copy of the data would hold mails; set it "
                    + "to a folder elsewhere")
        }
        return found
    }

    /// Whether a path is a folder's own or in it, symbolic links followed.
    private static func isWithin(_ path: String, _ folder: String) -> Bool {
        func parts(_ path: String) -> [String] {
            URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().pathComponents
        }
        return parts(path).starts(with: parts(folder))
    }
}

extension ConfigurationKey.Automatic {
    /// The stand-in where a word on the command line asks for it and only this machine can connect.
    static func builtinWhereOpened(_ path: SettingKey<Configuration>.Path<String>) -> Self {
        Self(rule: "builtin with `cairn serve --open` or --demo on a loopback address; else off") { configuration, _ in
            let isBuiltin = configuration.isOpened && configuration.isLocal
            configuration[keyPath: path] = isBuiltin ? Configuration.Adaptors.builtin : Configuration.Adaptors.off
            guard configuration.isOpened else { return "not asked for by --open" }
            return configuration.isLocal ? "asked for by --open" : configuration.place
        }
    }

    /// Beside the data, like the key.
    static let mailFolder = Self(rule: "storage.path with .mail") { configuration, _ in
        configuration.adaptors.mailFolder = (configuration.storage.path ?? "cairn") + ".mail"
        return "beside storage.path"
    }

    /// Likewise.
    static let paymentFolder = Self(rule: "storage.path with .payments") { configuration, _ in
        configuration.adaptors.paymentFolder = (configuration.storage.path ?? "cairn") + ".payments"
        return "beside storage.path"
    }
}
