import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import Testing

@testable import CairnOperators
@testable import CairnServer

/// Posts among the columns of cells.
@Suite("Posts: column of cells")
struct PostColumnTests {
    /// A feature's figure is a column, with a word and a key to sort by, without a line for it anywhere.
    @Test func figureOfAFeature_isAColumnThatSorts() throws {
        let posts = try #require(CellColumn.named("posts"))
        #expect(posts.title == "Posts" && posts.key == "o")
        let cells = (0..<2).map { CellID(.make(latitude: Double($0) * 10, longitude: 0), level: 16) }
        let index = try #require(Features.register.cellCounts.firstIndex { "\($0.name)" == "posts" })
        let rows = cells.enumerated().map { number, cell in
            CellRow(cell: cell, featureCounts: Array(repeating: 0, count: index) + [number])
        }
        #expect(posts.sorted(rows).map(\.cell) == cells.reversed())
    }
}
