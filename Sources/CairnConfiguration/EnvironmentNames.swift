import Configuration

/// Names of keys in the environment: `CAIRN_`, then the path in capitals with `_` for dots and between words.
enum EnvironmentNames {
    static let prefix = "CAIRN_"
    /// Variables that are other programs' and no settings of the server: the adaptors', the crowd's, the tests'.
    private static let foreignPrefixes = ["CAIRN_ADAPTOR_", "CAIRN_CROWD_", "CAIRN_TEST_"]

    /// Whether a variable is meant for the server, which then has to know it.
    static func isOurs(_ variable: String) -> Bool {
        variable.hasPrefix(prefix) && !foreignPrefixes.contains { variable.hasPrefix($0) }
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
