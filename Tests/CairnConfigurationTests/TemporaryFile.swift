import Foundation

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
        home: String? = "/people/tester"
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var environment = environment
        environment["HOME"] = home
        return try load(file: file?.path, environment: environment, overrides: overrides)
    }

    /// What loading complains about; empty when it does not.
    static func problems(
        file: TemporaryFile? = nil,
        environment: [String: String] = [:],
        overrides: [String: String] = [:],
        home: String? = "/people/tester"
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try loadTesting(file: file, environment: environment, overrides: overrides, home: home)
            return []
        } catch {
            return error.problems
        }
    }
}
