public import CairnConfiguration
internal import CairnServer
internal import CairnStore

extension Server {
    /// Looks at what settings name and loading does not open: certificate and key as the transport reads them, the keys
    /// of app tokens and of providers, the help, and the files of secrets. Nothing is made and nothing is changed.
    ///
    /// - Throws: `ConfigurationError` with what `run` would refuse or warn of.
    public static func examine(_ loaded: LoadedConfiguration) throws(ConfigurationError) {
        let configuration = loaded.configuration
        var problems = SecretFiles.complaints(about: loaded)
        do {
            if configuration.listen.isTLS { _ = try RunningServer.makeLoops(1, configuration) }
        } catch let error as ConfigurationError {
            problems += error.problems
        } catch {
            problems.append("listen: \(error)")
        }
        do throws(ConfigurationError) {
            _ = try SignIn.Proofs(configuration)
            _ = try PrivacyPolicy(configuration)
        } catch {
            problems += error.problems
        }
        do throws(ConfigurationError) {
            _ = try Help(configuration)
        } catch {
            problems += error.problems
        }
        if let complaint = StorageTools.complaint(aboutCredential: configuration) { problems.append(complaint) }
        if let path = configuration.storage.keyFile, KeyFile(path: path).isExposed {
            problems.append("storage.keyFile: others than its owner can read \(path): set its mode to 0600")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
    }
}
