import CairnWire
import Testing

/// GeoJSON of tours is counted before it is read (TRM-3): the largest tour is taken, what has more lists is not.
@Suite("GeoJSON of tours")
struct TourGeoJSONTests {
    private static func place(_ number: Int) -> WireTourPoint {
        var point = WireTourPoint()
        (point.lat, point.lon) = (45.123456789012345 + Double(number) * 1e-7, -73.56789012345678)
        return point
    }

    /// A route of 10,000 points, an area of 1,000 corners, and 100 stops with everything that a stop may have.
    private static var largest: WireTourContent {
        var content = WireTourContent()
        content.ground.route = (0..<10_000).map(place)
        content.ground.area = (0..<1_000).map { place(-$0) }
        content.stops = (0..<100).map { number in
            var stop = WireTourStop()
            var words = WireTourWords()
            (words.language, words.text) = ("en", String(repeating: "[{,\"\\", count: 100))
            stop.name.words = [words]
            stop.history.words = [words, words]
            stop.alternative.words = [words]
            stop.pose.anchor.transform = Array(repeating: 0.123456789, count: 16)
            (stop.pose.geopose.position.lat, stop.pose.geopose.position.lon) = (Double(number), 1)
            return stop
        }
        return content
    }

    @Test func largestTour_isReadAgainBitForBit() throws {
        let text = TourGeoJSON.text(of: Self.largest)
        #expect(text.utf8.count < TourGeoJSON.bytesMax)
        let found = try TourGeoJSON.content(of: text)
        #expect(found.ground == Self.largest.ground && found.stops.count == 100)
        #expect(TourGeoJSON.text(of: found) == text)
    }

    /// Each of them is as long as a text may be, and is refused by counting: in the time in which a tour of half a
    /// megabyte is read, or less.
    @Test(arguments: ["[", "{\"a\":", "[],", "[0,0],", "{},", "0,", "[[[[[[[[[[]]]]]]]]]],"])
    func moreListsThanATour_areRefusedBeforeTheyAreRead(_ piece: String) {
        let start = #"{"type":"FeatureCollection","features":[{"type":"Feature","x":["#
        let text = start + String(repeating: piece, count: (TourGeoJSON.bytesMax - 1_000) / piece.utf8.count)
        let reading = ContinuousClock().measure { _ = try? TourGeoJSON.content(of: TourGeoJSON.text(of: Self.largest)) }
        let time = ContinuousClock().measure {
            do throws(TourGeoJSON.Fault) {
                _ = try TourGeoJSON.content(of: text)
                Issue.record("\(piece) is read")
            } catch {
                #expect(error.cause == "it has more or deeper lists than a tour")
            }
        }
        print("A megabyte of \(piece) is refused after \(time); a tour is read in \(reading)")
        #expect(time < reading * 5)
    }
}
