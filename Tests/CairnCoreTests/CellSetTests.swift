import CairnGeo
import CairnTesting
import Testing

@testable import CairnCore

/// A list that stands for a set, compared with a set.
@Suite("CellSet") struct CellSetTests {
    private static let near: [CellID] = [Ground.here.cell] + Ground.here.cell.neighbours

    @Test(arguments: 0..<8)
    func randomChanges_makeWhatASetHolds(seed: UInt64) {
        var random = SeededRandom(seed)
        var (cells, set) = (CellSet(), Set<CellID>())
        for _ in 0..<100 {
            // Some of them twice.
            let some = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Self.near[Int.random(in: 0..<Self.near.count, using: &random)]
            }
            if Bool.random(using: &random) {
                cells.formUnion(some)
                set.formUnion(some)
            } else {
                cells.subtract(some)
                set.subtract(some)
            }
            #expect(cells.count == set.count && Set(cells) == set && cells.isEmpty == set.isEmpty)
            #expect(Self.near.allSatisfy { cells.contains($0) == set.contains($0) })
        }
    }

    @Test func order_doesNotMatter() {
        #expect(CellSet(Self.near) == CellSet(Self.near.reversed()))
        #expect(CellSet(Self.near.dropLast()) != CellSet(Self.near))
    }
}
