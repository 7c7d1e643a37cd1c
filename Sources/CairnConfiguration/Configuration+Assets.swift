extension Configuration {
    /// What people upload (OBJ-12).
    public struct Assets: Sendable, Equatable {
        /// Largest asset, in bytes.
        public var bytesMax = 10 << 20
        /// Largest picture of a profile, in bytes (PRF-3).
        public var pictureBytesMax = 2 << 20
        /// Most pixels of a picture.
        public var pixelsMax = 16_777_216
        /// Assets of one account, uploads included.
        public var perAccountMax = 100
        /// Megabytes (2^20 bytes) of one account's assets, uploads included.
        public var megabytesPerAccountMax = 200
        /// Uploads of one account under way.
        public var uploadsPerAccountMax = 4
        /// How long an upload may be without progress before it makes room for others, in seconds.
        public var idleSeconds = 60
        /// Uploads of all accounts under way.
        public var uploadsMax = 1_000
        /// Megabytes (2^20 bytes) of all uploads under way.
        public var uploadMegabytesMax = 4_096
        /// Megabytes (2^20 bytes) a second of all uploads together.
        public var uploadMegabytesPerSecond = 16
        /// How long an upload may take, in hours.
        public var uploadHours = 24
        /// How long an asset that nothing uses is kept, in minutes.
        public var unusedMinutes = 60
        /// How long the address of a download is good, in seconds.
        public var addressSeconds = 300

        /// The shipped defaults.
        public init() {}
    }

    /// The folder of the files of assets, beside the database.
    package var assetFolder: String { (storage.path ?? ".") + "/assets" }
}
