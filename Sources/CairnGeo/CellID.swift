/// A cell of ground: an S2 cell id (ecosystem.md 1.4). Level 0 is a sixth of the Earth, 30 a square centimetre; each
/// level divides a cell in four. Ids ascend along S2's curve, so that near ids are near places.
public struct CellID: Hashable, Sendable {
    public let rawValue: UInt64

    public static let levels = 0...30

    /// `nil` for bits that are no cell.
    public init?(rawValue: UInt64) {
        // Three bits of face, two for each level, then a single 1 bit that marks the end.
        guard rawValue >> 61 < 6, rawValue & (~rawValue &+ 1) & 0x1555_5555_5555_5555 != 0 else { return nil }
        self.rawValue = rawValue
    }

    /// For ids that come from S2.
    init(trusted rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// From 1 to 16 hexadecimal digits, either case, zeros at the end left out or not: `487604c43`. `nil` when it is no
    /// cell.
    public init?(token: some StringProtocol) {
        let digits = token.utf8
        // UInt64(_:radix:) would take a sign.
        guard (1...16).contains(digits.count),
            digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt64(token, radix: 16)
        else { return nil }
        self.init(rawValue: value << UInt64(4 * (16 - digits.count)))
    }

    /// The id in lower-case hexadecimal without the zeros at its end: the same cell as text, sorting the same way.
    public var token: String {
        let zeros = rawValue.trailingZeroBitCount / 4
        let digits = String(rawValue >> UInt64(4 * zeros), radix: 16)
        return String(repeating: "0", count: 16 - zeros - digits.utf8.count) + digits
    }

    /// 0 to 30.
    public var level: Int { 30 - rawValue.trailingZeroBitCount / 2 }

    /// Tells the cells of one view apart, nearly always: the 14 lowest bits that differ between cells of a level. Two
    /// cells with the same are in different squares of 128 cells a side, which can be neighbours' corners.
    public var shortNumber: UInt32 {
        UInt32(truncatingIfNeeded: rawValue >> UInt64(rawValue.trailingZeroBitCount + 1)) & 0x3FFF
    }

    /// The cell of a coarser level, or the same, that holds this one. Traps if `level` is finer than ``level``.
    public func parent(level: Int) -> CellID {
        precondition((0...self.level).contains(level), "CellID.parent: level \(level) is not in 0...\(self.level)")
        let end = UInt64(1) << UInt64(2 * (30 - level))
        return CellID(trusted: rawValue & (~end &+ 1) | end)
    }

    /// Whether `other` is this cell or lies in it.
    public func contains(_ other: CellID) -> Bool { descendants.contains(other.rawValue) }

    /// The raw values of this cell and of all cells in it are those in this range: for a query by range.
    public var descendants: ClosedRange<UInt64> {
        let end = rawValue & (~rawValue &+ 1)
        return rawValue - (end - 1)...rawValue + (end - 1)
    }
}

extension CellID: Comparable {
    public static func < (a: CellID, b: CellID) -> Bool { a.rawValue < b.rawValue }
}

extension CellID: CustomStringConvertible {
    /// The ``token``.
    public var description: String { token }
}
