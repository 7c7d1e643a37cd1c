import CairnClient
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

@Suite struct JoinMeterTests {
    private let cells = Array(
        CairnGeo.cells(touching: CairnCrowd.Ground.usual, radiusMetres: 200, level: 16).prefix(2))
    private var meter = JoinMeter(server: nil, now: 0)
    private var core = ClientCore(profile: ClientProfile(name: "ada", frontEnd: "bot"))

    /// A request of the core; positions are requests.
    private mutating func request() throws -> RequestTicket { try core.locate(at: .init(), now: 0) }

    @Test mutating func join_endsWithThePositionAnsweredAndEveryCellSeen() throws {
        let position = try request()
        meter.begin(7, now: 1_000)
        let withoutHello = meter.end(7, now: 2_000)
        #expect(!withoutHello, "hello is not answered")
        meter.asked(7, position, view: cells)
        meter.saw(cells[0], by: 7)
        let (others, own) = (meter.answered(7, try request()), meter.answered(7, position))
        #expect(own && !others)
        let withoutACell = meter.end(7, now: 3_000)
        #expect(!withoutACell, "a cell is missing")
        meter.saw(cells[1], by: 7)
        let whole = meter.end(7, now: 5_000)
        #expect(whole)
        let again = meter.end(7, now: 6_000)
        #expect(!again, "it has ended once")
        let figures = meter.figures(messages: 6, bytes: 900, now: 10_000)
        #expect(figures.times.count == 1 && figures.times.p50 == 4)
        #expect(figures.perSecond == 100 && figures.messagesEach == 6 && figures.bytesEach == 900)
        #expect(figures.serverCPUMicrosecondsEach == nil)
    }

    @Test mutating func viewBeforeTheAnswer_isNotEnough() throws {
        meter.begin(7, now: 0)
        meter.asked(7, try request(), view: cells)
        for cell in cells { meter.saw(cell, by: 7) }
        let early = meter.end(7, now: 1)
        #expect(!early)
    }
}

@Suite struct ComparisonTests {
    @Test func ratio_isTheMedianOfThePairs_andItsBoundsAreThoseOfTheSignTest() throws {
        let pairs = (1...10).map { number in
            (
                own: ["us": Double(number), "none": nil] as [String: Double?],
                other: ["us": 2, "none": 1] as [String: Double?]
            )
        }
        let comparison = Comparison(against: "old", pairs)
        let figure = try #require(comparison.compared["us"])
        #expect(comparison.pairs == 10 && comparison.compared.count == 1)
        #expect(figure.own == 5.5 && figure.other == 2 && figure.ratio == 2.75)
        // Between the second lowest and the second highest of ten lies the median with 97.9 %.
        #expect(figure.low == 1 && figure.high == 4.5 && abs(figure.confidence - 0.9785) < 0.001)
    }

    @Test func fewPairs_haveTheirWholeRange() {
        let interval = Comparison.Figure.interval([1, 2, 4])
        #expect(interval.low == 1 && interval.high == 4 && interval.confidence == 0.75)
    }
}
