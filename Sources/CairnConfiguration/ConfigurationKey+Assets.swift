internal import CairnCore

/// What people upload (OBJ-12).
extension ConfigurationKey {
    static let assets: [SettingKey<Configuration>] = [
        .integer(
            "assets.bytesMax", \.assets.bytesMax, 1_024...67_108_864, unit: "bytes", .live,
            "Largest asset. A larger one is refused with too_large before anything of it is sent."),
        .integer(
            "assets.pictureBytesMax", \.assets.pictureBytesMax, 1_024...67_108_864, unit: "bytes", .live,
            "Largest picture of a profile. A larger one is refused with too_large."),
        .integer(
            "assets.pixelsMax", \.assets.pixelsMax, 1_024...67_108_864, unit: "pixels", .live,
            "Most pixels of a picture. Turning one takes twelve bytes of memory for each. More are refused with "
                + "too_large."),
        .integer(
            "assets.perAccountMax", \.assets.perAccountMax, 1...100_000, unit: "assets", .live,
            "Assets that one account may have, uploads under way included. The next is refused with limit_reached."),
        .integer(
            "assets.megabytesPerAccountMax", \.assets.megabytesPerAccountMax, 1...1_000_000, unit: "MiB", .live,
            "Size of all assets of one account, uploads under way included. More is refused with limit_reached."),
        .integer(
            "assets.uploadsPerAccountMax", \.assets.uploadsPerAccountMax, 1...1_000, unit: "uploads", .live,
            "Uploads that one account may have under way. The next takes the place of an idle one, or is refused with "
                + "limit_reached."),
        .integer(
            "assets.idleSeconds", \.assets.idleSeconds, 5...86_400, unit: "seconds", .live,
            "How long an upload may be without progress. Then it is idle: another one takes its place where a limit "
                + "on uploads is reached, and it has to begin anew."),
        .integer(
            "assets.uploadsMax", \.assets.uploadsMax, 1...100_000, unit: "uploads", .live,
            "Uploads of all accounts under way. The next takes the place of an idle one, or else of one of the address "
                + "or account that has the most, if these are more than its own; otherwise it is refused with "
                + "limit_reached."),
        .integer(
            "assets.uploadMegabytesMax", \.assets.uploadMegabytesMax, 1...1_000_000, unit: "MiB", .live,
            "Size of all uploads under way, as they were announced. Beyond it, room is made as for uploadsMax."),
        .integer(
            "assets.uploadMegabytesPerSecond", \.assets.uploadMegabytesPerSecond, 1...10_000, unit: "MiB/s", .live,
            "Rate of all uploads together. Beyond it the server asks for each next chunk later, so that many uploads "
                + "do not delay other requests."),
        .integer(
            "assets.uploadHours", \.assets.uploadHours, 1...720, unit: "hours", .live,
            "How long an upload may take. Then the part that has arrived is deleted."),
        .integer(
            "assets.unusedMinutes", \.assets.unusedMinutes, 0...43_200, unit: "minutes", .live,
            "How long an unused asset, or a file without a row, is kept. Longer than a backup takes."),
        .integer(
            "assets.addressSeconds", \.assets.addressSeconds, 10...86_400, unit: "seconds", .live,
            "How long the address of a download is valid. The right is checked again at each download."),
    ]
}
