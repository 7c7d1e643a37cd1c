internal import CairnCore
internal import CairnText
internal import Foundation

/// Adaptors: what stands behind each outside service (EXT-1, EXT-2).
extension ConfigurationKey {
    static let adaptors: [SettingKey<Configuration>] = [
        .text(
            "adaptors.mail", \.adaptors.mail, .adaptor, .live,
            "Adaptor that sends mails. builtin: the local stand-in, which writes them to mailFolder. off: nothing; "
                + "mails are given up. Else a program and its arguments, separated by blanks, no shell "
                + "(docs/adaptors.md)."),
        .text(
            "adaptors.push", \.adaptors.push, .adaptor, .live,
            "Adaptor that sends pushes to devices. builtin: the local stand-in, which sends nothing. off: nothing; "
                + "pushes are given up."),
        .text(
            "adaptors.identity", \.adaptors.identity, .adaptor, .live,
            "Adaptor that checks tokens of identity providers. builtin: the local stand-in, which accepts its own test "
                + "tokens (docs/adaptors.md)."),
        .text(
            "adaptors.payment", \.adaptors.payment, .adaptor, .live,
            "Adaptor that charges for purchases. builtin: the local stand-in, which takes no money and writes to "
                + "paymentFolder."),
        .text(
            "adaptors.receipts", \.adaptors.receipts, .adaptor, .live,
            "Adaptor that checks receipts of app stores. builtin: the local stand-in, which accepts its own test "
                + "receipts."),
        .list(
            "adaptors.receiptStores", \.adaptors.receiptStores, 0...16, of: .store, .live,
            "Names of the stores whose receipts are taken. A receipt of any other is refused, and what one of these "
                + "has sold buys once, whichever of them a client names. The ledger has these names: a store keeps "
                + "its own."),
        .integer(
            "adaptors.timeoutSeconds", \.adaptors.timeoutSeconds, 1...300, unit: "seconds", .live,
            "Longest time of a call to an adaptor, including its time in the queue. Then the call fails."),
        .integer(
            "adaptors.waitingMax", \.adaptors.waitingMax, 1...100_000, unit: "calls", .live,
            "Calls of one adaptor that may wait. The next fails at once."),
        .integer(
            "adaptors.parallelMax", \.adaptors.parallelMax, 1...1_000, unit: "calls", .live,
            "Calls of one adaptor that are under way at once. Further ones wait."),
        .optionalText(
            "adaptors.mailFolder", \.adaptors.mailFolder, .folder, .live, mayBeEmpty: false,
            "Where the stand-in writes mails, a file each. Outside storage.path: a copy of the data must not hold "
                + "them."),
        .optionalText(
            "adaptors.paymentFolder", \.adaptors.paymentFolder, .folder, .live, mayBeEmpty: false,
            "Where the stand-in writes its charges, a file each."),
        .text(
            "adaptors.mailFrom", \.adaptors.mailFrom, .mailAddress, .live,
            "Sender of mails."),
        .integer(
            "adaptors.mailHours", \.adaptors.mailHours, 1...720, unit: "hours", .live,
            "How long a mail or a push that cannot be sent is tried again. Then it is given up."),
    ]
}

extension SettingForm {
    /// As clients name it. `payment` is the payment adaptor's.
    static let store = Self(wants: "1 to 32 small letters, digits and hyphens, and not payment") { text in
        (1...32).contains(text.utf8.count) && text != "payment"
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// A program that is there, so that a slip of the pen is found at the start.
    static let adaptor = Self(
        wants: "builtin, off, or a program and its arguments, the program as a path or found in PATH"
    ) { text in
        guard text.utf8.count <= 1_000, !text.contains(where: { $0.isNewline || $0 == "\0" }),
            let program = text.split(whereSeparator: \.isWhitespace).first.map(String.init)
        else { return false }
        if ["builtin", "off"].contains(text) { return true }
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].pieces(at: ":")
        let paths = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        return paths.contains { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: path)
        }
    }
}
