/// The keys whose answers only the store has, as a filter: a key is certainly not among them, or it may be.
///
/// Layers of Bloom filters: each holds twice as many keys as the one before, with 16 bits and 4 probes for each, and
/// has a false positive for one in 400 other keys when it is full. A layer is dropped when all its keys have expired.
struct KeyFilter: Sendable {
    private var layers: [Layer] = []

    /// Keys of the first layer: 8 KB.
    private static let firstMax = 4_096
    /// Keys of the largest layer: with the smaller ones, 28,672 keys in 56 KB.
    private static let layerMax = 16_384

    private struct Layer: Sendable {
        private static let bitsPerKey = 16
        private static let probes = 4

        let keysMax: Int
        private var words: [UInt64]
        private(set) var count = 0
        /// When the newest of its keys was answered.
        private(set) var newest = LastingTime.distantPast

        /// - Parameter keysMax: a power of two.
        init(keysMax: Int) {
            self.keysMax = keysMax
            words = Array(repeating: 0, count: keysMax * Self.bitsPerKey / UInt64.bitWidth)
        }

        var isFull: Bool { count >= keysMax }

        mutating func insert(_ key: KeyName, at time: LastingTime) {
            for probe in 0..<Self.probes {
                let bit = self.bit(of: key, probe)
                words[bit >> 6] |= 1 << UInt64(bit & 63)
            }
            count += 1
            newest = max(newest, time)
        }

        func mayHold(_ key: KeyName) -> Bool {
            for probe in 0..<Self.probes {
                let bit = self.bit(of: key, probe)
                if words[bit >> 6] & 1 << UInt64(bit & 63) == 0 { return false }
            }
            return true
        }

        private func bit(of key: KeyName, _ probe: Int) -> Int {
            (key.high &+ probe &* (key.low | 1)) & (words.count << 6 - 1)
        }
    }

    /// Adds a key.
    /// - Parameter time: when the key was answered.
    /// - Returns: whether there was room for it.
    mutating func insert(_ key: KeyName, at time: LastingTime) -> Bool {
        if layers.last?.isFull ?? true {
            let keysMax = layers.last.map { $0.keysMax * 2 } ?? Self.firstMax
            guard keysMax <= Self.layerMax else { return false }
            layers.append(Layer(keysMax: keysMax))
        }
        layers[layers.count - 1].insert(key, at: time)
        return true
    }

    /// Whether the key may be in the filter; false is certain.
    func mayHold(_ key: KeyName) -> Bool { layers.contains { $0.mayHold(key) } }

    /// Drops layers whose keys were all answered before this time: they have expired.
    mutating func forget(before limit: LastingTime) {
        guard let first = layers.first, first.newest < limit else { return }
        layers.removeAll { $0.newest < limit }
    }
}
