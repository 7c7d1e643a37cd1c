internal import CairnCore
internal import CairnWire

/// The text and the app's own data on an instance (PLC-16). They are stored bit for bit and never interpreted.
enum Inscription {
    /// - Throws: `text_too_long` with the limit that was exceeded, `data_too_large`.
    static func check(
        text: String, data: some Collection<UInt8>, _ settings: PlacementSettings
    ) throws(Refusal) {
        // Bytes first: counting characters costs more, and the check of bytes bounds that cost.
        let bytes = text.utf8.count
        guard bytes <= settings.textBytesMax else {
            throw tooLong(
                "\(bytes) bytes of UTF-8, the limit is \(settings.textBytesMax)", bytes, settings.textBytesMax)
        }
        if bytes > settings.textCharactersMax, text.count > settings.textCharactersMax {
            let count = text.count
            let limit = settings.textCharactersMax
            throw tooLong("\(count) characters, the limit is \(limit)", count, limit)
        }
        guard data.count <= settings.dataBytesMax else {
            throw Refusal(
                .dataTooLarge, "\(data.count) bytes, the limit is \(settings.dataBytesMax)",
                component: Placements.name,
                details: ["field": "data", "count": "\(data.count)", "limit": "\(settings.dataBytesMax)"])
        }
    }

    private static func tooLong(_ text: Refusal.Text, _ count: Int, _ limit: Int) -> Refusal {
        Refusal(
            .textTooLong, text, component: Placements.name,
            details: ["field": "text", "count": "\(count)", "limit": "\(limit)"])
    }
}
