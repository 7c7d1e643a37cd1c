internal import CairnCore

/// Help (PRF-10).
extension ConfigurationKey {
    static let help: [SettingKey<Configuration>] = [
        .optionalText(
            "help.file", \.help.file, .readableFile, .live,
            "JSON file with questions and answers, further help and the form of organisations, in each language. "
                + "SIGHUP reads it again. Without it the built-in help is shown."),
        .optionalText(
            "help.phone", \.help.phone, .phone, .live,
            "Telephone number of the support, as it is dialled. Without it no number is shown."),
        .optionalText(
            "help.formAddress", \.help.formAddress, .mailAddress, .live,
            "Email address that an organisation's form for an account goes to. Without it the form's text says how."),
    ]
}

extension SettingForm {
    static let phone = Self(wants: "a telephone number such as +41 44 123 45 67") { text in
        (3...40).contains(text.utf8.count) && text.contains { $0.isWholeNumber }
            && text.utf8.allSatisfy { "0123456789+-() ".utf8.contains($0) }
    }
}
