/// Why connections end or never begin, what they do not get, and who is turned away at the doors.
extension OperatorReason {
    static let connections: [OperatorReason] =
        rows(.drops, dropped) + rows(.closures, closed) + rows(.transport, rejected)
        + rows(.guestsRefused, guests) + rows(.operators, ofOperators) + rows(.doors, turnedAway)

    private static let backByThemselves = "Nothing: the app comes back by itself and continues."

    private static let dropped: [Row] = [
        (
            "volatile_thinned", "A slow reader got fewer batches of positions; newer ones replace them.",
            "Nothing: it is how the server spares slow networks. If most connections are behind, look at its network."
        ),
        (
            "outbox_full", "A reader was so slow that its queue was full. It starts again from a snapshot.",
            "Nothing, if it is rare. If it is common, look at the network, or raise connections.outboxBytesMax."
        ),
        (
            "resynchronising", "An event was not queued for a reader that gets a snapshot anyway.",
            "Nothing: nobody misses anything."
        ),
        (
            "right_revoked", "Somebody lost the right to see something, such as a membership, before it was sent.",
            "Nothing: it is meant so."
        ),
        (
            "connection_lost", "A connection ended before everything was sent.",
            "Nothing: the app gets what it missed when it comes back."
        ),
    ]

    private static let closed: [Row] = [
        ("broken_frame", "A client sent a frame that RFC 6455 does not allow.", apps),
        ("wrong_frame", "A client sent text on a binary connection, or bytes on one for text.", apps),
        ("not_utf8", "A client sent a text that is not UTF-8.", apps),
        ("policy_violation", "A client broke a rule of connections, for instance on fragments.", apps),
        ("too_large", "A client sent a message longer than connections.messageBytesMax.", apps),
        ("server_shutdown", "The server stopped or restarted.", backByThemselves),
        (
            "overloaded", "The server was full, did not keep up, or was short of memory.",
            "See the state of health. Give it more processor or memory, or lower listen.connectionsMax."
        ),
        (
            "silent",
            "Nothing came for connections.silenceSeconds, not even an answer to a ping: a lost network, a "
                + "device that sleeps.",
            backByThemselves
        ),
        (
            "slow_consumer", "A client read too slowly for connections.behindSecondsMax.",
            "Nothing, if it is rare: it is a bad network. If it is common, look at the server's own network."
        ),
        (
            "rate_limited", "A client went on sending too fast after it was refused.",
            "Nothing: the limit holds. If it is one app, its developers have a fault to correct."
        ),
        ("hello_required", "A client connected and said no hello in time.", apps),
        (
            "unsupported_version", "An app speaks a version of the protocol that this server does not.",
            "Have the app updated, or the server, whichever is older."
        ),
        ("bad_message", "A client sent too many messages that could not be read.", apps),
        (
            "too_many_connections", "An account has as many connections as it may have.",
            "Nothing, unless people have that many devices: then raise connections.perAccountMax."
        ),
        (
            "account_suspended", "An account was suspended while it was connected.",
            "Nothing; Moderation lists them, and can reinstate."
        ),
        ("session_taken_over", "The person connected from somewhere else, and went on there.", "Nothing."),
        ("kicked", "An operator ended the connection.", "Nothing; cairn admin audit says who did it, and why."),
    ]

    private static let rejected: [Row] = [
        (
            "admission", "A connection came when the server was full, or its address had as many as it may have.",
            "Compare the connections with listen.connectionsMax. Many people behind one address need a larger "
                + "listen.connectionsPerAddress."
        ),
        (
            "descriptors", "The process may open no more files, and took no connection for a moment.",
            "Raise LimitNOFILE= of the unit to listen.connectionsMax and 100 more."
        ),
        (
            "handshake", "A request was not as HTTP or RFC 6455 wants it: scanners, old clients, wrong ports.",
            "Nothing, unless an app of yours cannot connect: then its developers have a fault to correct."
        ),
        (
            "origin", "A page of another site, or a request that the door refused, wanted a socket.",
            "If it is a page of yours, add its origin to listen.originsAllowed; see Turned away for the door's reason."
        ),
        ("subprotocol", "A client offered no subprotocol that this server has.", apps),
        ("upgrade", "A client wanted another protocol than a WebSocket, such as HTTP/2 without TLS.", "Nothing."),
        ("raw", "A client sent what is not HTTP, or wanted a tunnel: scanners do.", "Nothing."),
        ("body", "A request had a body that nobody had asked for.", "Nothing, unless it is an app of yours."),
        (
            "timeout",
            "An HTTP connection was quiet for connections.handshakeSeconds, and was closed. Most are of browsers, "
                + "which keep a connection ready and do not use it; some are of clients that begin and do not go on.",
            "Nothing, also if there are hundreds: nobody misses anything. Thousands in a minute that are not of your "
                + "pages are a flood: listen.connectionsPerAddress bounds it."
        ),
        ("messageBytes", "A message was longer than connections.messageBytesMax, and its connection was closed.", apps),
        (
            "messageFragments",
            "A message came in more pieces than connections.messageFragmentsMax, and its connection was closed.", apps
        ),
        (
            "messageTime",
            "A message took longer than connections.messageSecondsMax to arrive, and its connection was closed.",
            "Nothing, if it is rare: it is a bad network, or somebody who holds connections open."
        ),
        ("frame", "A frame broke RFC 6455, and its connection was closed.", apps),
        (
            "tlsHandshakes", "An address began more TLS handshakes than it may.",
            "Nothing, if it is one address. Many people behind one need a larger "
                + "listen.tlsHandshakesPerSecondPerAddress."
        ),
        (
            "input", "A connection sent more than connections.bytesPerSecond, and was not read for a moment. It stays.",
            apps
        ),
    ]

    private static let guests: [Row] = [
        (
            "address", "An address has as many guests who look as it may have.",
            "Nothing, unless many people are behind one address: then raise guests.viewsPerAddress."
        ),
        (
            "all", "There are as many guests who look as there may be.",
            "Raise guests.viewsMax if the server has room; see the state of health."
        ),
        (
            "cells", "Guests moved their view faster than their budget of new cells allows.",
            "Raise guests.cellsPerMinutePerAddress or guests.cellsPerMinute if ordinary use meets it."
        ),
        (
            "bytes", "Guests had as much sent as their budget allows.",
            "Raise guests.megabytesPerMinutePerAddress or guests.megabytesPerMinute if ordinary use meets it."
        ),
        (
            "questions", "Guests asked more than their budget allows.",
            "Raise guests.questionsPerMinutePerAddress or guests.questionsPerMinute if ordinary use meets it."
        ),
        (
            "overload", "The server had too much to do, or hardly any room for connections, and sent guests away.",
            "See the state of health; guests come back when there is room."
        ),
    ]

    private static let ofOperators: [Row] = [
        (
            "credential", "Somebody asked for operators' figures without a credential, or with a wrong one.",
            "Nothing, if it was you: cairn stats link opens the console. Otherwise somebody tries; stats.listener "
                + "keeps operators' addresses apart."
        ),
        ("origin", "A page of another site wanted the operators' socket.", "Nothing: it gets none."),
        (
            "plain_text", "An operator on another machine came without TLS.",
            "Set listen.tlsCertificate, come through a proxy with TLS, or through an SSH tunnel."
        ),
        (
            "listener", "An operator came to the address of players, and operators have one of their own.",
            "Use the address of stats.listener."
        ),
        (
            "user", "A process of another user opened the stats socket.",
            "Run it as the server's user or as root, or set stats.readSocketPath for looking alone."
        ),
        (
            "level", "An operator with read level sent a command that needs admin level.",
            "Use the socket of stats.socketPath, or the credential."
        ),
        (
            "full", "There were 128 operators; the one that was idle longest was sent away.",
            "Look for scripts that connect and never end."
        ),
        (
            "misbehaved", "An operator's connection did not read for 30 s, or sent what is no line.",
            "Look at the script: it has to read what it asks for."
        ),
    ]

    private static let turnedAway: [Row] = [
        (
            "host", "A request called the server by a name that is not its own.",
            "If the name is right, add it to listen.names; behind a proxy, have it pass the Host header on."
        ),
        (
            "proxy", "A request came through a proxy that the settings do not know, or in plain text from elsewhere.",
            "Add the proxy to listen.trustedProxies, or set TLS up (docs/operations.md)."
        ),
        (
            "budget", "An address, or all together, asked for more pages or bytes than they may.",
            "Nothing, unless many people are behind one address: then raise pages.requestsPerSecondPerAddress."
        ),
        (
            "address", "An address, as the proxy tells it, has too many connections or opens them too fast.",
            "Nothing, unless many people are behind one address: then raise listen.connectionsPerAddress."
        ),
        (
            "origin", "A page of another site asked for a socket.",
            "If it is a page of yours, add its origin to listen.originsAllowed."
        ),
    ]
}
