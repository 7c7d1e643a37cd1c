internal import CairnCore
internal import CairnWire

/// The content of a tour in pages that have room in a message (TRT-4). The pages of one content are always the same.
enum TourPages {
    /// A page is full when it has as many bytes; a single stop may be larger than that.
    private static let bytesMax = 48_000
    /// Points of a line that go together.
    private static let pointsAtOnce = 500

    static func pages(of content: WireTourContent) -> [WireTourContent] {
        var pages: [WireTourContent] = []
        var (page, bytes) = (WireTourContent(), 0)
        func add(_ size: Int, _ change: (inout WireTourContent) -> Void) {
            if bytes > 0, bytes + size > bytesMax {
                pages.append(page)
                (page, bytes) = (WireTourContent(), 0)
            }
            change(&page)
            bytes += size
        }
        add(WireBody.encode(content.facts).count) { $0.facts = content.facts }
        add(8) { $0.ground.direction = content.ground.direction }
        // A point is 18 bytes, with its head 20.
        for points in pieces(content.ground.area) { add(20 * points.count) { $0.ground.area += points } }
        for points in pieces(content.ground.route) { add(20 * points.count) { $0.ground.route += points } }
        for stop in content.stops { add(WireBody.encode(stop).count + 4) { $0.stops.append(stop) } }
        for popup in content.popups { add(WireBody.encode(popup).count + 4) { $0.popups.append(popup) } }
        return pages + [page]
    }

    private static func pieces(_ points: [WireTourPoint]) -> [ArraySlice<WireTourPoint>] {
        stride(from: 0, to: points.count, by: pointsAtOnce).map {
            points[$0..<min($0 + pointsAtOnce, points.count)]
        }
    }

    /// A text in pieces of whole characters.
    static func pieces(of text: String) -> [String] {
        let scalars = text.unicodeScalars
        var (pieces, start) = ([String](), scalars.startIndex)
        while start < scalars.endIndex {
            // Four bytes a character at most.
            let end = scalars.index(start, offsetBy: bytesMax / 4, limitedBy: scalars.endIndex) ?? scalars.endIndex
            pieces.append(String(scalars[start..<end]))
            start = end
        }
        return pieces
    }

    /// The answer with one of the pages.
    /// - Throws: `not_found` for a page behind the last one.
    static func answer(
        _ number: UInt32, of tour: ReadTour, _ summary: WireTourSummary, parts: [WireTourPart] = []
    ) throws(Refusal) -> Request.Result {
        let pages = tour.pages
        guard number < pages.count else { throw Tours.absent }
        var page = WireTourPage()
        page.tour = summary
        (page.page, page.pages) = (number, UInt32(pages.count))
        page.content = pages[Int(number)]
        if number == 0 { page.parts = parts }
        if let withheld = tour.withheld { page.preview = withheld }
        return .tourPage(page)
    }
}
