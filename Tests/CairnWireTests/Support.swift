import CairnWire
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension ClientEnvelopeDecoder {
    static func decode(json: String) throws(BadMessage) -> ClientEnvelope {
        try decode(Array(json.utf8), format: .json)
    }
}

/// A field of protobuf's wire format, written by hand.
enum Field {
    static func varint(_ field: UInt64, _ value: UInt64) -> [UInt8] { encoded(field << 3) + encoded(value) }
    static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
        encoded(field << 3 | 2) + encoded(UInt64(content.count)) + content
    }
    static func text(_ field: UInt64, _ content: String) -> [UInt8] { bytes(field, Array(content.utf8)) }
    static func group(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
        encoded(field << 3 | 3) + content + encoded(field << 3 | 4)
    }

    static func encoded(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// How much processor time this thread spends in a call: other tests run beside it.
private func processorTime(of body: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    body()
    return now() - start
}

/// How many times as much processor time as to read a plain message of the greatest length (SES-3), the best of three
/// of each: a neighbour on the core empties the caches.
func inPlainMessages(_ body: () -> Void) -> Double {
    let plain = Array((#"{"id":1,"x":["# + String(repeating: "0,", count: 32_761) + "0]}").utf8)
    func best(_ body: () -> Void) -> Duration { (0..<3).map { _ in processorTime(of: body) }.min() ?? .zero }
    return best(body) / best { _ = try? ClientEnvelopeDecoder.decode(plain, format: .json) }
}
