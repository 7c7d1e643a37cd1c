import Foundation
import Testing

/// The packages that were read and tried, those that our own packages bring included. `from:` in Package.swift lets a
/// newer one in: then this fails, and whoever wants the newer one looks at what changed and writes it here.
@Suite("Tidy: versions of packages")
struct VersionTests {
    private static let wanted = [
        "grdb.swift": "7.10.0",
        "hdrhistogram-swift": "0.2.0",
        "swift-argument-parser": "1.8.2",
        "swift-async-algorithms": "1.1.4",
        "swift-collections": "1.6.0",
        "swift-configuration": "1.4.0",
        "swift-log": "1.16.2",
        "swift-numerics": "1.1.1",
        "swift-protobuf": "1.39.0",
        "swift-service-lifecycle": "2.13.0",
        "swift-subprocess": "1.0.2",
        "swift-system": "1.8.1",
        "yams": "6.2.2",
    ]

    private struct Resolved: Decodable {
        let pins: [Pin]

        struct Pin: Decodable {
            let identity: String
            let state: State
        }

        struct State: Decodable {
            let version: String?
            let revision: String
        }
    }

    @Test func packages_areThoseThatWereTried() throws {
        let text = SourceTree.text(of: "Package.resolved")
        let pins = try JSONDecoder().decode(Resolved.self, from: Data(text.utf8)).pins
        var places: [String] = []
        for pin in pins {
            let found = pin.state.version ?? pin.state.revision
            let wanted = Self.wanted[pin.identity]
            if found != wanted { places.append("\(pin.identity) is \(found), listed is \(wanted ?? "nothing")") }
        }
        let gone = Set(Self.wanted.keys).subtracting(pins.map(\.identity))
        places += gone.sorted().map { "\($0) is listed and not used any more" }
        expectNone(places, "What was resolved is not what Tests/TidyTests/VersionTests.swift lists:")
    }
}
