extension Server {
    /// The version of this build, as `cairn --version` prints it.
    public static let version = "0.1.0"
}
