extension Configuration {
    /// The page for players in a browser, and cairn.js.
    public struct Play: Sendable, Equatable {
        /// Whether they are served.
        public var enabled = true
        /// Folder with their files; nil = there is none.
        public var path: String?
        /// Whether the page's modules are served one by one, for its developers.
        public var sources = false
        /// Address of map tiles with {z}, {x} and {y}; nil = no request to another host.
        public var tileURL: String?
        /// Attribution of the map tiles; nil = none.
        public var tileAttribution: String?
        /// A GeoJSON file that the map is drawn on; nil = none.
        public var groundFile: String?
        /// Where the page sends people who sign in by a provider: each a provider's name and an address.
        public var providers: [String] = []

        /// The shipped defaults.
        public init() {}
    }
}
