import Configuration

/// Names of keys in the environment: `CAIRN_`, then the path in capitals with `_` for dots and between words.
enum EnvironmentNames {
    static let prefix = "CAIRN_"
    /// Variables that are the adaptors' and no settings of the server.
    static let adaptorPrefix = "CAIRN_ADAPTOR_"

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
