public import CairnGeo

/// A set of a few cells: a sorted list. Every connection keeps one for its view, of some nine cells, and a hashed set
/// of these has sixteen places and costs twice the memory.
public struct CellSet: Hashable, Sendable {
    private var list: [CellID]

    public init(_ cells: some Sequence<CellID> = []) {
        list = []
        formUnion(cells)
    }

    /// Looks a cell up; shadows the slow look-up of sequences.
    public func contains(_ cell: CellID) -> Bool {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < cell { low = middle + 1 } else { high = middle }
        }
        return low < list.count && list[low] == cell
    }

    /// Adds cells. The list takes no more memory than it needs.
    public mutating func formUnion(_ cells: some Sequence<CellID>) {
        var new: [CellID] = []
        for cell in cells where !contains(cell) && !new.contains(cell) { new.append(cell) }
        if !new.isEmpty { list = (list + new).sorted() }
    }

    /// Takes cells out; its memory stays, for those that come next.
    public mutating func subtract(_ cells: [CellID]) {
        if !cells.isEmpty { list.removeAll { cells.contains($0) } }
    }
}

extension CellSet: Sequence {
    public func makeIterator() -> IndexingIterator<[CellID]> { list.makeIterator() }
    public var isEmpty: Bool { list.isEmpty }
    public var count: Int { list.count }
}

extension CellSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral cells: CellID...) { self.init(cells) }
}

extension CellSet: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(list) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(try decoder.get([CellID].self)) }
}
