internal import CairnText
import Configuration

/// Names of keys in the environment: `CAIRN_`, then the path in capitals with `_` for dots and between words.
enum EnvironmentNames {
    static let prefix = "CAIRN_"
    /// Variables that are other programs' and no settings of the server: the adaptors', the crowd's, the tests'.
    private static let foreignPrefixes = ["CAIRN_ADAPTOR_", "CAIRN_CROWD_", "CAIRN_TEST_"]

    /// Whether a variable is meant for the server, which then has to know it.
    static func isOurs(_ variable: String, value: String = "") -> Bool {
        variable.hasPrefix(prefix) && !foreignPrefixes.contains { variable.hasPrefix($0) }
            && !tellsOfService(variable, value: value)
    }

    private static let protocols = ["TCP", "UDP", "SCTP"]

    /// Whether Kubernetes has set it, which tells containers of each service by variables that begin with its name:
    /// `CAIRN_SERVICE_HOST`, `CAIRN_PORT=tcp://10.0.0.7:8080` of a service that is called `cairn`.
    private static func tellsOfService(_ variable: String, value: String) -> Bool {
        if protocols.contains(where: { value.hasPrefix($0.lowercased() + "://") }) { return true }
        let words = variable.pieces(at: "_").map(String.init)
        return words.indices.contains { place in
            let rest = Array(words[place...].prefix(3))
            if rest.starts(with: ["SERVICE", "HOST"]) { return rest.count == 2 }
            if rest.starts(with: ["SERVICE", "PORT"]) { return true }
            return rest.count == 3 && rest[0] == "PORT" && Int(rest[1]) != nil && protocols.contains(rest[2])
        }
    }

    /// The provider that finds keys among `variables`.
    static func provider(of variables: [String: String]) -> some ConfigProvider {
        EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "cairn")
    }

    /// The variable that the provider would look for.
    static func variable(for key: ConfigurationKey) -> String {
        do {
            return try provider(of: [:]).value(forKey: key.path, type: .string).encodedKey
        } catch {
            preconditionFailure("the environment provider failed on nothing: \(error)")
        }
    }
}
