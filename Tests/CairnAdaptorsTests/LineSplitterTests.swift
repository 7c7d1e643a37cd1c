import Testing

@testable import CairnAdaptors

@Suite("Lines of a process")
struct LineSplitterTests {
    private func pieces(_ chunks: [String], bytesMax: Int = 8) -> [LineSplitter.Piece] {
        var splitter = LineSplitter(bytesMax: bytesMax)
        var pieces: [LineSplitter.Piece] = []
        for chunk in chunks {
            splitter.take(chunk.utf8) {
                pieces.append($0)
                return true
            }
        }
        return pieces
    }

    @Test func lines_areJoinedOverChunks() {
        #expect(pieces(["ab", "c\nd", "e\n", "rest"]) == [.line(Array("abc".utf8)), .line(Array("de".utf8))])
    }

    @Test func line_ofTheLongestLength_isTaken() {
        #expect(pieces(["12345678\n"]) == [.line(Array("12345678".utf8))])
    }

    @Test func longerLine_isPassedOverUpToItsEnd() {
        #expect(pieces(["123456789\nab\n"]) == [.overlong, .line(Array("ab".utf8))])
    }

    @Test func endlessLine_countsAgainAndAgain() {
        #expect(pieces([String(repeating: "x", count: 40)]).count >= 4)
    }
}
