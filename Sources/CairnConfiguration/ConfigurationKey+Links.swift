internal import CairnCore

/// Links of tours (TRT-3).
extension ConfigurationKey {
    static let tourLinks: [SettingKey<Configuration>] = [
        .list(
            "links.appleApps", \.links.appleApps, 0...16, of: .appleApp, .live,
            "Apps on Apple's platforms that open links of tours: team and bundle, such as "
                + "A1B2C3D4E5.org.example.walks. Served as /.well-known/apple-app-site-association."),
        .list(
            "links.androidApps", \.links.androidApps, 0...16, of: .androidApp, .live,
            "Apps on Android that open links of tours: the package, a blank and the SHA-256 fingerprint of its "
                + "certificate, 32 pairs of digits with colons. Served as /.well-known/assetlinks.json."),
    ]
}

extension SettingForm {
    fileprivate static let appleApp = Self(wants: "a team and a bundle such as A1B2C3D4E5.org.example.walks") { text in
        text.wholeMatch(of: /[A-Z0-9]{10}\.[A-Za-z0-9.\-]{1,155}/) != nil
    }

    fileprivate static let androidApp = Self(
        wants: "a package, a blank and a fingerprint such as org.example.walks 14:6D:E9 ..."
    ) { text in
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+ [0-9A-F]{2}(:[0-9A-F]{2}){31}/) != nil
    }
}
