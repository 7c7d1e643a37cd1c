import Foundation
import Testing

@testable import CairnConfiguration

/// A file that goes when nothing holds it any more.
final class TemporaryFile: Sendable {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString).yaml").path
        try write(text)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

extension Configuration {
    /// Loads in a world with nothing but a home folder.
    static func loadTesting(
        file: TemporaryFile? = nil,
        environment: [String: String] = [:],
        overrides: [String: String] = [:],
        opening: Opening = .closed,
        home: String? = "/people/tester"
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var environment = environment
        environment["HOME"] = home
        return try load(file: file?.path, environment: environment, overrides: overrides, opening: opening)
    }

    /// What loading complains about; empty when it does not.
    static func problems(
        file: TemporaryFile? = nil,
        environment: [String: String] = [:],
        overrides: [String: String] = [:],
        opening: Opening = .closed,
        home: String? = "/people/tester"
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try loadTesting(
                file: file, environment: environment, overrides: overrides, opening: opening, home: home)
            return []
        } catch {
            return error.problems
        }
    }

    /// A value that is none of those that a key takes is refused with both.
    static func expectRefusal(of value: String, for name: String) throws {
        let problems = problems(overrides: [name: value])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(name): got \"") == true)
        let wants = try #require(ConfigurationKey.all.first { $0.name == name }).wants
        #expect(problems.first?.hasSuffix("wants \(wants)") == true)
    }
}
