internal import CairnCore
internal import CairnFeatures

/// The table.
extension ConfigurationKey {
    /// Every key, in the order of the file.
    public static let all: [ConfigurationKey] =
        own(listen + pages + connections + cells + presence + overload + travel + guests)
        + Features.register.settings.flatMap { featureKeys($0) }
        + own(accounts + providers + appTokens + help + tourLinks + notifications + nearby + assets + storage + backup)
        + own(adaptors)
        + own(shutdown + logging + stats + console + play + debug)

    private static func own(_ keys: [SettingKey<Configuration>]) -> [ConfigurationKey] {
        keys.map { ConfigurationKey($0, automatic: automatics[$0.name]) }
    }

    private static func featureKeys<Values: FeatureSettings>(_ settings: Values.Type) -> [ConfigurationKey] {
        settings.keys.map { ConfigurationKey($0) }
    }

    /// Sections in the order of the file, each with its description.
    public static let sections: [Section] =
        before + featureSections + after

    /// Features that belong together may share a section: it stands where the first of them does.
    private static let featureSections: [Section] = Features.register.settings.reduce(into: []) { sections, settings in
        if sections.contains(where: { $0.name == settings.section }) { return }
        sections.append((name: settings.section, meaning: settings.meaning))
    }

    /// A section's name and description.
    public typealias Section = (name: String, meaning: String)

    private static let before: [Section] = [
        ("listen", "Where and how connections come in."),
        ("pages", "Rate limits of HTTP. A budget holds four seconds of its rate; a request beyond it gets 429."),
        ("connections", "Limits of one connection: rates, sizes, silence and delay."),
        ("cells", "Cells of the ground, and the view of users."),
        ("presence", "Live positions of people nearby. They are sent often and never stored."),
        ("overload", "Overload: the limits at which work is left out, and then refused."),
        ("travel", "How fast people see new ground."),
        ("guests", "Guests who look at the world without an account."),
    ]

    private static let after: [Section] = [
        ("accounts", "Accounts: sign-up, sign-in, profiles, roles and the audit log."),
        ("providers", "Sign-in with an account of another service. Each item names the provider, then the value."),
        ("appTokens", "Sign-in by an app's own backend: JSON Web Tokens that it signs."),
        ("help", "Help for people, signed in or not."),
        ("links", "Links of tours: the apps that open them."),
        ("notifications", "Notifications: news for a person about the actions of others."),
        ("nearby", "Tours nearby, and their notifications."),
        ("assets", "Pictures and other files that people upload, kept sealed beside the database."),
        ("storage", "The database and its files."),
        ("backup", "Backups of the database, made while the server serves."),
        ("adaptors", "External services: mails, pushes to devices, identity providers, payments."),
        ("shutdown", "Shutdown of the server."),
        ("logging", "The log."),
        ("stats", "Access for operators: sockets, console, metrics."),
        ("console", "The operators' page in a browser."),
        ("play", "The page for players in a browser, and cairn.js."),
        ("debug", "Tools for tests of the server. All off."),
    ]

    private static let connections: [SettingKey<Configuration>] = [
        .integer(
            "connections.messageBytesMax", \.connections.messageBytesMax, 1_024...16_777_216, unit: "bytes", .restart,
            "Longest message from a client. A longer one closes the connection with too_large."),
        .integer(
            "connections.messageFragmentsMax", \.connections.messageFragmentsMax, 16...1_048_576, unit: "pieces",
            .restart,
            "Most pieces that one message may arrive in."),
        .integer(
            "connections.messageSecondsMax", \.connections.messageSecondsMax, 1...600, unit: "seconds", .restart,
            "Longest time from the first to the last piece of a message."),
        .integer(
            "connections.pingSeconds", \.connections.pingSeconds, 1...3_600, unit: "seconds", .live,
            "Time between two pings."),
        .integer(
            "connections.silenceSeconds", \.connections.silenceSeconds, 2...7_200, unit: "seconds", .live,
            "Silence, pongs included, after which a connection is dropped and its user leaves the cell. More than "
                + "pingSeconds."),
        .integer(
            "connections.messagesPerSecond", \.connections.messagesPerSecond, 1...100_000, unit: "messages/s", .live,
            "Messages that a connection may send on average. Excess is refused with rate_limited, lasting excess "
                + "closes the connection."),
        .integer(
            "connections.messagesBurst", \.connections.messagesBurst, 1...1_000_000, unit: "messages", .live,
            "Messages that a connection may send at once. At least messagesPerSecond."),
        .integer(
            "connections.bytesPerSecond", \.connections.bytesPerSecond, 1_024...1_000_000_000, unit: "bytes/s", .live,
            "Bytes of messages that a connection may send on average, or 1,310 for each of messagesPerSecond if that "
                + "is more. Excess is refused with rate_limited, unread."),
        .integer(
            "connections.bytesBurst", \.connections.bytesBurst, 1_024...1_000_000_000, unit: "bytes", .live,
            "Bytes of messages that a connection may send at once, or 1,310 for each of messagesBurst if that is more. "
                + "At least bytesPerSecond."),
        .integer(
            "connections.positionsPerSecond", \.connections.positionsPerSecond, 1...1_000, unit: "positions/s", .live,
            "Position updates of a connection that are processed. When more arrive, the newest replaces those before."),
        .integer(
            "connections.perAccountMax", \.connections.perAccountMax, 1...1_000, unit: "connections", .live,
            "Connections that one account may have open. The next is refused with too_many_connections."),
        .integer(
            "connections.requestsInFlightMax", \.connections.requestsInFlightMax, 1...65_536, unit: "requests", .live,
            "Requests of one connection being answered at a time. Beyond it the server stops reading from the "
                + "connection until one is answered."),
        .integer(
            "connections.outboxBytesMax", \.connections.outboxBytesMax, 16_384...67_108_864, unit: "bytes", .live,
            "Most bytes waiting to be sent to one connection. Beyond it presence is thinned, then the client is told "
                + "to resynchronise."),
        .integer(
            "connections.behindSecondsMax", \.connections.behindSecondsMax, 1...3_600, unit: "seconds", .live,
            "How long a connection may stay behind before it is closed with slow_consumer."),
        .integer(
            "connections.resumeSeconds", \.connections.resumeSeconds, 0...86_400, unit: "seconds", .live,
            "How long after a cut a session can be resumed."),
        .integer(
            "connections.handshakeSeconds", \.connections.handshakeSeconds, 1...120, unit: "seconds", .restart,
            "Longest time from the TCP connection to the open WebSocket, and for a whole HTTP request."),
        .integer(
            "connections.receiveBufferBytes", \.connections.receiveBufferBytes, 256...1_048_576, unit: "bytes",
            .restart,
            "Receive buffer of each open connection. A smaller one saves memory and takes more reads for a long "
                + "message. With TLS it is at least 16384."),
    ]

    private static let cells: [SettingKey<Configuration>] = [
        .integer(
            "cells.level", \.cells.level, 10...20, unit: "S2 level", .restart,
            "Size of the cells that the ground is divided into: about 140 m across at 16; each step up halves it. It "
                + "cannot be changed in an existing world."),
        .integer(
            "cells.sleepSeconds", \.cells.sleepSeconds, 1...86_400, unit: "seconds", .live,
            "Time without people or viewers after which a cell is removed from memory, once its changes are stored."),
        .number(
            "cells.viewRadiusMetres", \.cells.viewRadiusMetres, 1...5_000, unit: "metres", .restart,
            "How far a user sees. The view is every cell that this radius touches: at most 256, so a large radius "
                + "needs a lower level."),
        .number(
            "cells.viewHysteresis", \.cells.viewHysteresis, 0...1, unit: "fraction of the view radius", .restart,
            "How much further than the view radius a cell in view stays in view, so that it does not flicker."),
        .number(
            "cells.borderHysteresisMetres", \.cells.borderHysteresisMetres, 0...1_000, unit: "metres", .restart,
            "How far beyond the edge of a cell a user must be before the next cell takes them."),
        .integer(
            "cells.instancesMax", \.cells.instancesMax, 1...1_000_000, unit: "instances", .live,
            "Live instances in one cell. The next is refused with cell_full."),
        .integer(
            "cells.ringEvents", \.cells.ringEvents, 16...1_048_576, unit: "events", .restart,
            "Events that each topic holds in memory for clients that resume, with a KiB each on average; larger ones "
                + "are fewer. A client that has missed more gets a snapshot."),
        .integer(
            "cells.snapshotHours", \.cells.snapshotHours, 1...8_760, unit: "hours", .live,
            "How long a client without a network may show its last snapshot of its surroundings."),
        .integer(
            "cells.snapshotInstancesMax", \.cells.snapshotInstancesMax, 1...10_000, unit: "instances", .live,
            "Most instances in such a snapshot. If there are more, it holds the nearest."),
    ]

    private static let presence: [SettingKey<Configuration>] = [
        .integer(
            "presence.intervalMilliseconds", \.presence.intervalMilliseconds, 10...10_000, unit: "milliseconds", .live,
            "Longest time that a pose waits for others of its batch when its loop is busy 60 % of the time. On a "
                + "busier loop it waits longer. A pose leaves at once if no other is expected soon, and while there is "
                + "little to send."),
        .integer(
            "presence.quietIntervalMilliseconds", \.presence.quietIntervalMilliseconds, 1...10_000,
            unit: "milliseconds", .live,
            "The same for an idle loop. Between the two the wait grows with the load."),
        .integer(
            "presence.countHiddenBelow", \.presence.countHiddenBelow, 0...1_000, unit: "people", .live,
            "Smallest count of people nearby that is sent. A smaller one is sent as 0."),
        .choice(
            "presence.accuracy", \.presence.accuracy, .live,
            "Accuracy at which others see a person whose settings do not name one: on a grid of this many metres, or "
                + "exact. A change applies to later sign-ins."),
        .integer(
            "presence.graceSeconds", \.presence.graceSeconds, 0...600, unit: "seconds", .live,
            "How long others still see a user whose connection was cut. If the user is back in time, others notice "
                + "nothing."),
        .integer(
            "presence.crowdBytesPerSecond", \.presence.crowdBytesPerSecond, 1_000...10_000_000, unit: "bytes/s", .live,
            "Most bytes of poses that a person is sent of their own cell. In a crowd that needs more, the nearest and "
                + "fastest people are sent every time and the others by rotation. Viewers in other cells get a part."),
        .integer(
            "presence.loopPosesPerSecond", \.presence.loopPosesPerSecond, 1_000...1_000_000_000, unit: "poses/s", .live,
            "Most poses that a network loop sends to all its clients together. Beyond it each client gets fewer, as "
                + "above. A loop that has no time left sends as little as a tenth."),
    ]

    private static let overload: [SettingKey<Configuration>] = [
        .integer(
            "overload.shedMilliseconds", \.overload.shedMilliseconds, 0...60_000, unit: "milliseconds", .live,
            "When the work of a network loop is late by this much for half a second, it sends positions a quarter "
                + "as often; then it holds counts back; then it sends positions every 2 s. 0 = never."),
        .integer(
            "overload.refuseMilliseconds", \.overload.refuseMilliseconds, 0...60_000, unit: "milliseconds", .live,
            "When the work is still late by this much, new connections and changes are refused with overloaded and a "
                + "time to wait. 0 = never."),
        .integer(
            "overload.memoryMegabytes", \.overload.memoryMegabytes, 0...16_777_216, unit: "megabytes", .live,
            "Memory that the server may take. From 80 % on it frees caches, from 85 % it refuses new connections and "
                + "changes with overloaded, from 90 % it closes the connections with the most to be sent. 0 = only the "
                + "limits of the system (cgroup, ulimit -v), which apply in any case."),
    ]

    private static let storage: [SettingKey<Configuration>] = [
        .optionalText(
            "storage.path", \.storage.path, .folder, .restart, mayBeEmpty: false,
            "Folder of the database. It belongs to one server at a time."),
        .optionalText(
            "storage.keyFile", \.storage.keyFile, .file, .restart, mayBeEmpty: false,
            "File of the keys that seal the database (AES-256-GCM). Made at a new world's first start. Keep it out of "
                + "storage.path and a copy of it elsewhere: without it the data cannot be read."),
        .text(
            "storage.region", \.storage.region, .northAmerica, .restart,
            "Where the database, its backups and the assets are. The privacy policy names it. It must be in North "
                + "America; clients from all countries are served."),
        .choice(
            "storage.synchronous", \.storage.synchronous, .restart,
            "When a commit, and with it an acknowledgement, counts as done. full: once the disk has it. normal: once "
                + "the operating system has it; then a power cut, not a crash, may cost the last moments."),
        .integer(
            "storage.commitChangesMax", \.storage.commitChangesMax, 1...1_000_000, unit: "changes", .restart,
            "Most changes in one transaction."),
        .integer(
            "storage.commitMilliseconds", \.storage.commitMilliseconds, 0...10_000, unit: "milliseconds", .restart,
            "Longest time that a transaction collects changes. It ends sooner when no change is waiting."),
        .integer(
            "storage.backlogMax", \.storage.backlogMax, 1...10_000_000, unit: "changes", .restart,
            "Changes waiting for the disk. Further ones are refused with storage_unavailable; reads go on."),
        .integer(
            "storage.retryFirstMilliseconds", \.storage.retryFirstMilliseconds, 1...600_000, unit: "milliseconds",
            .restart,
            "First pause after a failed write; each further one is twice as long."),
        .integer(
            "storage.retryMaxMilliseconds", \.storage.retryMaxMilliseconds, 1...3_600_000, unit: "milliseconds",
            .restart,
            "Longest pause between two tries of a failed write. At least retryFirstMilliseconds."),
        .integer(
            "storage.keyHours", \.storage.keyHours, 24...8_760, unit: "hours", .restart,
            "How long the answer to a client's key is remembered, so that a repeated change is applied once. At least "
                + "a day, because daily quotas are restored from these answers."),
        .integer(
            "storage.readers", \.storage.readers, 1...64, unit: "connections", .restart,
            "Connections that read the database, beside the one that writes."),
        .integer(
            "storage.setAsideDays", \.storage.setAsideDays, 1...3_650, unit: "days", .restart,
            "How long a database that a restore, a repair, damage or a new schema set aside is kept beside the new "
                + "one. The newest stays."),
        .integer(
            "storage.setAsideMax", \.storage.setAsideMax, 1...1_000, unit: "files", .restart,
            "Most databases set aside that are kept; the oldest beyond them are deleted."),
        .integer(
            "storage.cacheMegabytes", \.storage.cacheMegabytes, 1...65_536, unit: "MiB", .restart,
            "Memory for the database's pages; it fills as the database grows and then stays. Less costs reads of the "
                + "disk while changes are saved."),
    ]

    private static let backup: [SettingKey<Configuration>] = [
        .optionalText(
            "backup.directory", \.backup.directory, .folder, .restart, mayBeEmpty: false,
            "Folder of the backups; another disk is better. A damaged database is replaced by the newest sound one."),
        .integer(
            "backup.hours", \.backup.hours, 0...8_760, unit: "hours", .restart,
            "Time between two backups, restarts included. 0 = none but on demand (cairn backup)."),
        .integer(
            "backup.keep", \.backup.keep, 1...100_000, unit: "backups", .restart,
            "Backups that are kept; the oldest beyond them are deleted. A deleted account is in them until then."),
    ]

    private static let shutdown: [SettingKey<Configuration>] = [
        .integer(
            "shutdown.drainSeconds", \.shutdown.drainSeconds, 1...600, unit: "seconds", .live,
            "Longest time from the signal to the end: clients are told, pending changes are stored, connections closed."
        ),
        .integer(
            "shutdown.reconnectSecondsMax", \.shutdown.reconnectSecondsMax, 0...3_600, unit: "seconds", .live,
            "Clients are told to reconnect after a random time up to this, so that they do not all come at once."),
    ]

    private static let logging: [SettingKey<Configuration>] = [
        .choice(
            "logging.level", \.logging.level, .live,
            "Lowest level of lines that are written."),
        .choice(
            "logging.format", \.logging.format, .restart,
            "The form of a line. auto: text on a terminal, else json, one object a line. Colour on a terminal only, "
                + "and not when NO_COLOR is set."),
    ]

    private static let stats: [SettingKey<Configuration>] = [
        .optionalText(
            "stats.socketPath", \.stats.socketPath, .absolutePath, .restart, mayBeEmpty: false,
            "Unix socket for operators on this machine, with admin level. Only the server's own user and root may use "
                + "it."),
        .optionalText(
            "stats.readSocketPath", \.stats.readSocketPath, .absolutePath, .restart,
            "Second Unix socket for the user's group, with read level: it shows everything and changes nothing."),
        .optionalText(
            "stats.listener", \.stats.listener, .addressAndPort, .restart,
            "Address and port of a listener for operators alone: then the stats WebSocket, the console and /metrics "
                + "are there and nowhere else. It speaks TLS where listen.port does."),
        .optionalText(
            "stats.credential", \.stats.credential, .secret, .restart, isSecret: true,
            "Credential for the stats WebSocket and the console. Without it the first start makes a random one and "
                + "keeps it beside the key, in storage.keyFile with .operator, for the server's user alone."),
        .list(
            "stats.frontEnds", \.stats.frontEnds, 0...64, of: .frontEnd, .live,
            "Apps that figures count separately, by the name in their hello. All others are counted as \"other\"."),
        .optionalText(
            "stats.metricsCredential", \.stats.metricsCredential, .secret, .restart, isSecret: true,
            "Credential for /metrics alone, for a collector on another machine or behind a proxy. It is sent as "
                + "Authorization: Bearer. The operators' credential works as well. On this machine /metrics is open."),
    ]

    private static let console: [SettingKey<Configuration>] = [
        .optionalText(
            "console.tileURL", \.console.tileURL, .tileURL, .restart,
            "Address of map tiles for the console, 256 pixels wide. The operators' browsers fetch them from that host, "
                + "which learns where they look. Without it the map shows a grid, and the console asks this server "
                + "alone."),
        .optionalText(
            "console.tileAttribution", \.console.tileAttribution, .line, .restart,
            "Source of the tiles, as the map names it. Most sources require this."),
    ]

    private static let debug: [SettingKey<Configuration>] = [
        .optionalText(
            "debug.echoPath", \.debug.echoPath, .httpPath, .restart,
            "Path of a WebSocket that echoes its messages, for conformance suites. Only on a loopback address and not "
                + "behind a proxy.")
    ]
}
