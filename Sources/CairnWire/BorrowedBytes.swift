internal import SwiftProtobuf

/// Lends borrowed bytes to SwiftProtobuf's decoders, which would otherwise need a copy.
/// It must not outlive the bytes.
struct BorrowedBytes: SwiftProtobufContiguousBytes {
    /// Borrowed from the caller for the length of one decoding call.
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(bytes) }

    // The rest of the protocol is for encoding, for which borrowed bytes are never used.
    init(repeating: UInt8, count: Int) { preconditionFailure("BorrowedBytes: only for decoding") }
    init<S: Sequence>(_ sequence: S) where S.Element == UInt8 {
        preconditionFailure("BorrowedBytes: only for decoding")
    }
    mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        preconditionFailure("BorrowedBytes: only for decoding")
    }
}
