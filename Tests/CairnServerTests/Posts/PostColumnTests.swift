import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnRoot
@testable import CairnServer

/// What operators see of posts in a cell (STA-2).
@Suite("Server: posts in a cell's row", .serialized, .timeLimit(.minutes(10)))
struct PostColumnTests {
    /// The column's figures in all cells that are awake, by name.
    private static func figures(_ column: String, of bench: ServerBench) async throws -> [String: Double] {
        let metric = try #require(
            CellRow.metrics(of: Features.register).first { "\($0.description.members[0].name)" == column })
        var figures: [String: Double] = [:]
        for shard in await bench.server.shards {
            let rows: [CellRow] = await withCheckedContinuation { continuation in
                shard.post { continuation.resume(returning: $0.report(withRows: true).rows?.cells ?? []) }
            }
            for row in rows { figures[row.cell.token] = metric.value(row).amount }
        }
        return figures
    }

    @Test func row_countsPostsThatAreThere_apartFromOtherThings() async throws {
        let bench = try await ServerBench.start(loops: 2)
        let person = try await bench.client("person", at: Ground.here.centre)
        _ = try await person.place(at: Ground.here.centre)
        var posts: [WireInstance] = []
        for text in ["one", "two"] {
            guard case .postCreated(let created) = try await person.ask(.posting(text)) else {
                throw BenchError("not posted")
            }
            posts.append(created.post)
        }
        #expect(Set(posts.map(\.cell)).count == 1)
        let cell = posts[0].cell
        #expect(try await Self.figures("posts", of: bench)[cell] == 2)
        #expect(try await Self.figures("instances", of: bench)[cell] == 1)
        _ = try await person.ask(.removing(post: posts[0]))
        #expect(try await Self.figures("posts", of: bench)[cell] == 1)
        await bench.stop()
    }
}
