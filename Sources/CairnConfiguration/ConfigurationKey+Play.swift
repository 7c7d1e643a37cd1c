internal import CairnCore
internal import CairnText
internal import Foundation

/// The keys of the page for players.
extension ConfigurationKey {
    static let play: [SettingKey<Configuration>] = [
        .flag(
            "play.enabled", \.play.enabled, .restart,
            "Whether /play, the page for players, the playground /play/two and the library /play/cairn/ are served."),
        .optionalText(
            "play.path", \.play.path, .absolutePath, .restart, mayBeEmpty: false,
            "Folder with the files of the page (built, and its sources: play), the library (cairn), and third-party "
                + "files (lib): three.js, Leaflet and the outlines of countries. If it is missing, /play answers 404, "
                + "and the console has no map."),
        .flag(
            "play.sources", \.play.sources, .restart,
            "Whether /play loads its modules one by one, as they are written, in place of the few files that they are "
                + "built into: for those who develop the page."),
        .optionalText(
            "play.tileURL", \.play.tileURL, .tileURL, .restart,
            "Address of map tiles for the players' map, 256 pixels wide. The players' browsers fetch them from that "
                + "host, which learns where they look. Without it the page asks this server alone."),
        .optionalText(
            "play.tileAttribution", \.play.tileAttribution, .line, .restart,
            "Source of the tiles, as the players' map names it. Most sources require this."),
        .optionalText(
            "play.groundFile", \.play.groundFile, .absolutePath, .restart,
            "GeoJSON file that is drawn as the ground of the players' map, such as the streets of a town. It is "
                + "public."),
        .list(
            "play.providers", \.play.providers, 0...16, of: .providerPage, .restart,
            "Where the page sends people who sign in by a provider of providers.issuers: its OpenID Connect "
                + "authorization endpoint with the page's client_id, as in google "
                + "https://accounts.google.com/o/oauth2/v2/auth?client_id=APP. The provider must know the page's "
                + "address, https://HOST/play, as a redirect URI, and providers.audiences the client_id."),
    ]
}

extension ConfigurationKey.Automatic {
    /// Where the package puts the files, and `scripts/bootstrap` for a build.
    static let playFolder = Self(rule: "../share/cairn/play beside the program") { configuration, _ in
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        configuration.play.path =
            URL(filePath: program).deletingLastPathComponent()
            .appending(path: "../share/cairn/play").standardizedFileURL.path
        return "beside the program"
    }
}

extension SettingForm {
    /// An address in a page: of `https`, or of this machine.
    static let providerPage = Self(wants: "a provider's name, a blank and an https address with a client_id") { text in
        let parts = text.pieces(at: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, providerValue.accepts(text), let url = URLComponents(string: parts[1]),
            let host = url.host, !host.isEmpty, url.user == nil, url.fragment == nil
        else { return false }
        let isPrivate = url.scheme == "https" || (url.scheme == "http" && ["127.0.0.1", "localhost"].contains(host))
        return isPrivate && url.queryItems?.contains { $0.name == "client_id" && $0.value?.isEmpty == false } == true
    }
}
