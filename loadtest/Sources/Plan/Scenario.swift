import CairnEmbedded
import Configuration
import Foundation
import Synchronization

/// A scenario: a plan in a file of keys, or one that comes with the tool.
struct Scenario: Sendable {
    let name: String
    /// One line for people.
    let about: String
    let plan: CrowdPlan

    /// The fault of a scenario, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Names of the scenarios that come with the tool: the files of `loadtest/scenarios`.
    static var names: [String] { shipped.map(\.name) }

    private static let shipped = EmbeddedFiles.all(in: .scenarios).map { file in
        (name: String(file.name.dropLast(".yaml".count)), bytes: file.bytes)
    }

    /// The key beside those of the plan: one line for people.
    private static let aboutKey = "about"

    /// Finds a scenario by its name, or by the path of its file.
    static func find(_ nameOrPath: String) throws(Failure) -> Scenario {
        if let found = shipped.first(where: { $0.name == nameOrPath }) {
            return try Scenario(name: found.name, bytes: found.bytes)
        }
        guard nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml") else {
            let nearest = Spelling.nearest(to: nameOrPath, in: names).map { "; the nearest is \($0)" } ?? ""
            throw Failure(
                description: "no scenario is named \(nameOrPath)\(nearest) (there are \(names.joined(separator: ", ")))"
            )
        }
        guard let data = FileManager.default.contents(atPath: nameOrPath) else {
            throw Failure(description: "cannot read the file \(nameOrPath)")
        }
        let name = URL(fileURLWithPath: nameOrPath).deletingPathExtension().lastPathComponent
        do {
            return try Scenario(name: name, bytes: [UInt8](data))
        } catch {
            throw Failure(description: "\(nameOrPath): \(error.description)")
        }
    }

    /// Reads a file of keys.
    init(name: String, bytes: [UInt8]) throws(Failure) {
        let known = Set(ScenarioKey.all.map(\.name) + [Self.aboutKey])
        // The parser asks for each key that it meets whether it is a secret. The keys of the file are found by these
        // calls.
        let met = Mutex<Set<String>>([])
        let specifier = SecretsSpecifier<String, Void>.dynamic { key, _ in
            met.withLock { _ = $0.insert(key) }
            return false
        }
        let snapshot: YAMLSnapshot
        do {
            snapshot = try YAMLSnapshot(
                data: Data(bytes).bytes, providerName: name,
                parsingOptions: YAMLSnapshot.ParsingOptions(secretsSpecifier: specifier))
        } catch {
            throw Failure(description: "not a YAML file of keys: \("\(error)".split(separator: "\n").joined())")
        }
        let keys = met.withLock { $0 }
        var problems = keys.subtracting(known).sorted().map(ScenarioKey.unknown)
        var plan = CrowdPlan()
        plan.scenario = name
        for key in ScenarioKey.all {
            guard let text = Self.text(of: key.name, in: snapshot) else {
                if keys.contains(key.name) { problems.append("\(key.name): got no single value, wants \(key.wants)") }
                continue
            }
            if !key.write(&plan, text) { problems.append("\(key.name): got \(text), wants \(key.wants)") }
        }
        if plan.speedLeast > plan.speedMost { problems.append("speedLeast: more than speedMost") }
        guard problems.isEmpty else { throw Failure(description: problems.joined(separator: "\n")) }
        self.name = name
        about = Self.text(of: Self.aboutKey, in: snapshot) ?? ""
        self.plan = plan
    }

    private static func text(of key: String, in snapshot: YAMLSnapshot) -> String? {
        guard let found = try? snapshot.value(forKey: AbsoluteConfigKey([key], context: [:]), type: .string),
            case .string(let text) = found.value?.content
        else { return nil }
        return text
    }
}
