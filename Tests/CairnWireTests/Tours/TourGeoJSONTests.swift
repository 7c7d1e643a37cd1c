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

    // MARK: Other tools

    private static let name = #"[{"language":"en","text":"Walls"}]"#
    private static let area = feature(#""Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]"#, area: name)
    private static let route = feature(#""LineString","coordinates":[[0.1,0.1],[0.2,0.2]]"#, #""cairn":"route""#)
    private static let stop = feature(#""Point","coordinates":[0.1,0.1,3]"#, #""cairn":"stop","object":"x""#)

    private static func feature(_ geometry: String, _ properties: String, more: String = "") -> String {
        #"{"type":"Feature"\#(more),"geometry":{"type":\#(geometry)},"properties":{\#(properties)}}"#
    }

    private static func feature(_ geometry: String, area name: String) -> String {
        feature(geometry, #""cairn":"area","price":0,"name":\#(name)"#)
    }

    private static func content(of features: String...) throws(TourGeoJSON.Fault) -> WireTourContent {
        let list = features.joined(separator: ",")
        return try TourGeoJSON.content(of: #"{"type":"FeatureCollection","features":[\#(list)]}"#)
    }

    /// By way of QGIS and a GeoPackage, of geojson.io, and beside an export of OpenStreetMap (RFC 7946).
    @Test func whatOtherToolsMakeOfATour_isTheSameTour() throws {
        let plain = try Self.content(of: Self.area, Self.route, Self.stop)
        #expect(plain.facts.name.words.first?.text == "Walls" && plain.ground.area.count == 3)
        let quoted = #""[{\"language\":\"en\",\"text\":\"Walls\"}]""#
        let found = try Self.content(
            of: Self.feature(#""MultiPolygon","coordinates":[[[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]]"#, area: quoted),
            Self.feature(
                #""MultiLineString","coordinates":[[[0.1,0.1,9],[0.2,0.2,9]]]"#,
                #""cairn":"route","fid":2,"name":null,"price":null"#, more: #","id":2"#),
            Self.feature(
                #""MultiPoint","coordinates":[[0.1,0.1,3]]"#,
                #""cairn":"stop","object":"x","id":7,"quaternion":"[0,0,0,1]","marker-color":"red""#),
            Self.feature(
                #""Polygon","coordinates":[[[5,5],[6,5],[5,5]]]"#, #""@id":"way/1","name":"Town wall""#,
                more: #","id":"way/1""#),
            #"{"properties":null}"#)
        #expect(found == plain)
    }

    /// What has two meanings, or another form, is refused by feature and property.
    @Test func whatIsWrong_isNamedByFeatureAndProperty() throws {
        let wrong: [(features: [String], feature: Int, property: String?)] = [
            ([Self.area, Self.route, Self.area], 2, nil),
            ([Self.route, Self.area, Self.route], 2, nil),
            ([Self.area, Self.feature(#""Point","coordinates":[0,0]"#, #""cairn":"route""#)], 1, "geometry"),
            ([Self.feature(#""MultiPolygon","coordinates":[[[[0,0]]],[[[1,0]]]]"#, area: Self.name)], 0, "geometry"),
            ([Self.feature(#""Polygon","coordinates":[[["0","0"]]]"#, area: Self.name)], 0, "geometry"),
            ([Self.stop, Self.feature(#""Polygon","coordinates":[]"#, area: #""Walls""#)], 1, "name"),
            ([Self.feature(#""Point","coordinates":[0,0]"#, #""cairn":"stop","scale":"wide""#)], 0, "scale"),
        ]
        for one in wrong {
            let list = one.features.joined(separator: ",")
            do throws(TourGeoJSON.Fault) {
                _ = try TourGeoJSON.content(of: #"{"type":"FeatureCollection","features":[\#(list)]}"#)
                Issue.record("\(one) is read")
            } catch {
                #expect(error.feature == one.feature && error.property == one.property, "\(error)")
                #expect(error.cause.hasPrefix("feature \(one.feature)"))
            }
        }
    }

    /// A text of JSON within a text is bounded as well, and its letters are as stream-safe as the file's.
    @Test func textWithinAText_isBounded() {
        let words = #"{\"language\":\"en\",\"text\":\"x\"}"#
        let many = "[" + String(repeating: words + ",", count: 2_000) + words + "]"
        let marks = String(repeating: #"\\u0301"#, count: 2_000)
        let marked = #"[{\"language\":\"en\",\"text\":\"a\#(marks)\"}]"#
        for text in [many, marked] {
            #expect(throws: TourGeoJSON.Fault.self) {
                try Self.content(of: Self.feature(#""Polygon","coordinates":[]"#, area: "\"\(text)\""))
            }
        }
    }
}
