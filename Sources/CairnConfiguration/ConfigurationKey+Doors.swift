internal import CairnCore

/// The keys for incoming connections and requests.
extension ConfigurationKey {
    static let listen: [SettingKey<Configuration>] = [
        .text(
            "listen.address", \.listen.address, .address, .restart,
            "Address to listen on. One that others can reach needs TLS (tlsCertificate and tlsKey) or behindProxy."),
        .integer(
            "listen.port", \.listen.port, 0...65_535, unit: "TCP port", .restart,
            "Port for WebSocket and HTTP alike. 0 takes a free one and prints it."),
        .integer(
            "listen.loops", \.listen.loops, 0...256, unit: "threads", .restart,
            "Network loops, each with its own thread and listening socket. 0 = one per core."),
        .flag(
            "listen.behindProxy", \.listen.behindProxy, .restart,
            "Whether a proxy in front terminates TLS. Then plain text is served to this machine, and to proxies that "
                + "trustedProxies names by private addresses. While it is false, requests that came through a proxy "
                + "are refused."),
        .list(
            "listen.trustedProxies", \.listen.trustedProxies, 0...256, of: .network, .live,
            "Proxies, by address or network such as 10.0.0.0/8, whose forwardedHeader is trusted when behindProxy is "
                + "true. The client is the last address of the header that is not a trusted proxy's; limits per "
                + "address count it."),
        .choice(
            "listen.forwardedHeader", \.listen.forwardedHeader, .live,
            "Header in which trusted proxies name the client; the other one is not read. A proxy that sets Forwarded "
                + "must replace the header of a client."),
        .list(
            "listen.names", \.listen.names, 0...256, of: .hostName, .live,
            "Names that the Host of a request may have. On a loopback address localhost and the address are always "
                + "accepted, and other names are refused, so that a page whose name resolves to 127.0.0.1 gets "
                + "nothing. Elsewhere numeric addresses are always accepted, and an empty list accepts any name."),
        .list(
            "listen.originsAllowed", \.listen.originsAllowed, 0...256, of: .origin, .live,
            "Origins of web pages that may connect, besides pages of this server itself. Apps that send no origin are "
                + "not affected."),
        .integer(
            "listen.connectionsMax", \.listen.connectionsMax, 1...1_000_000, unit: "connections", .restart,
            "Open connections in all; further ones are closed at once. Keep it 100 below the process's limit of open "
                + "files (ulimit -n)."),
        .integer(
            "listen.connectionsPerAddress", \.listen.connectionsPerAddress, 0...1_000_000, unit: "connections", .live,
            "Open connections from one address, or one /64 of IPv6. 0 = no limit."),
        .integer(
            "listen.handshakesPerSecondPerAddress", \.listen.handshakesPerSecondPerAddress, 0...100_000,
            unit: "connections/s", .live,
            "New connections a second from one address, or one /64 of IPv6. In the long run a fifth of them may sign "
                + "in by name, which writes to the disk. 0 = no limit."),
        .integer(
            "listen.signInsPerMinutePerAccount", \.listen.signInsPerMinutePerAccount, 0...100_000,
            unit: "sign-ins/min", .live,
            "Connections a minute that sign in to one account, and half of them at once. Further ones are refused with "
                + "rate_limited and closed. 0 = no limit."),
        .integer(
            "listen.tlsHandshakesPerSecondPerAddress", \.listen.tlsHandshakesPerSecondPerAddress, 0...100_000,
            unit: "handshakes/s", .live,
            "TLS handshakes a second with one address, or one /64 of IPv6, and five times as many at once. Further "
                + "connections are closed before they cost a handshake. 0 = no limit."),
        .integer(
            "listen.backlog", \.listen.backlog, 1...65_535, unit: "connections", .restart,
            "Connections that the kernel holds for each loop until they are accepted (at most net.core.somaxconn)."),
        .integer(
            "listen.gatherMilliseconds", \.listen.gatherMilliseconds, 0...20, unit: "milliseconds", .live,
            "Longest time that a loop lets positions wait, so that one wake-up reads more of them; only when 25 "
                + "connections send at once. The more requests are among the messages, the shorter the wait; from one "
                + "in 16 on there is none. It costs as much delay and saves up to half of the CPU of a crowd. 0 = "
                + "never."),
        .optionalText(
            "listen.tlsCertificate", \.listen.tlsCertificate, .readableFile, .restart,
            "PEM file with the server's certificate, then its chain. With it the port speaks TLS (1.2 or newer) only. "
                + "SIGHUP reads the file again."),
        .optionalText(
            "listen.tlsKey", \.listen.tlsKey, .readableFile, .restart,
            "PEM file with the certificate's private key. SIGHUP reads the file again."),
    ]

    static let pages: [SettingKey<Configuration>] = [
        .integer(
            "pages.requestsPerSecondPerAddress", \.pages.requestsPerSecondPerAddress, 1...1_000_000, unit: "requests/s",
            .live,
            "Page requests from one address, or one /64 of IPv6."),
        .integer(
            "pages.bytesPerSecondPerAddress", \.pages.bytesPerSecondPerAddress, 10_000...1_000_000_000, unit: "bytes/s",
            .live,
            "Bytes of answers to one address, or one /64 of IPv6."),
        .integer(
            "pages.requestsPerSecond", \.pages.requestsPerSecond, 1...1_000_000, unit: "requests/s", .live,
            "Page requests in all. /livez, /healthz and /readyz are answered even beyond it."),
        .integer(
            "pages.bytesPerSecond", \.pages.bytesPerSecond, 10_000...10_000_000_000, unit: "bytes/s", .live,
            "Bytes of answers in all."),
    ]

    static let travel: [SettingKey<Configuration>] = [
        .integer(
            "travel.speedMetresPerSecond", \.travel.speedMetresPerSecond, 0...1_000_000, unit: "metres/s", .live,
            "Highest speed at which the devices of an account may reach new ground. A faster account sees nothing new "
                + "until 10 seconds have passed without excess; its positions still count. The first position of a "
                + "session is never too fast. 0 = any speed, as with --demo."),
        .integer(
            "travel.cellsPerSecond", \.travel.cellsPerSecond, 1...1_000_000, unit: "cells/s", .live,
            "New cells that come into view of one account, over all its connections. Further ones come later, the "
                + "nearest first."),
        .integer(
            "travel.cellsBurst", \.travel.cellsBurst, 1...1_000_000, unit: "cells", .live,
            "New cells that come into view of one account at once."),
    ]
}
