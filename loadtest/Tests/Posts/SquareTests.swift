import Testing

@testable import CairnCrowd

@Suite struct SquareTests {
    @Test func square_isFullOfVotesOnPostsThatEnd() throws {
        let square = try Scenario.find("square").plan
        #expect(square.voteEvery > 0 && Double(square.postSeconds) < square.seconds)
    }
}
