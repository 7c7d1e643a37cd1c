/// Writes bytes one after the other into memory of a known size. Writing beyond it traps.
struct ByteWriter {
    /// Borrowed memory: the writer must not outlive the loan.
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        self.memory = memory
    }

    mutating func put(_ byte: UInt8) {
        skip(1).initialize(repeating: byte)
    }

    /// Puts a number, its lowest byte first.
    mutating func put<Number: FixedWidthInteger>(number: Number) {
        UnsafeMutableRawBufferPointer(skip(Number.bitWidth / 8)).storeBytes(of: number.littleEndian, as: Number.self)
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        _ = skip(bytes.count).initialize(fromContentsOf: bytes)
    }

    /// Reserves the next bytes, which the caller writes.
    mutating func skip(_ bytes: Int) -> UnsafeMutableBufferPointer<UInt8> {
        precondition(bytes <= memory.count - count, "more is written than was counted")
        defer { count += bytes }
        return UnsafeMutableBufferPointer(rebasing: memory[count..<count + bytes])
    }
}
