import CairnTesting
import Foundation
import Subprocess
import Testing

@testable import CairnWebSocket

@Suite("HTTP: content")
struct HTTPContentTests {
    private static let text = [UInt8](String(repeating: "what stands behind a path\n", count: 40).utf8)
    private static let content = HTTPContent(text, contentType: "text/plain", tag: "t")

    private static func head(_ method: String = "GET", _ change: (inout HTTPHead) -> Void = { _ in }) -> HTTPHead {
        var head = HTTPHead(address: PeerAddress(high: 0, low: 1), method: method, path: "/")
        change(&head)
        return head
    }

    @Test func content_isSentWholeWithItsTag() throws {
        let response = Self.content.response(to: Self.head())
        #expect(response.status == 200)
        #expect(response.shortBody == Self.text)
        #expect(Set(response.headers) == ["Vary: Accept-Encoding", "ETag: \"t\"", "Accept-Ranges: bytes"])
    }

    @Test func whatTheClientHas_isNotSentAgain() {
        let response = Self.content.response(to: Self.head { $0.ifNoneMatch = "\"s\", W/\"t\"" })
        #expect(response.status == 304)
        #expect(response.shortBody == [])
        #expect(response.headers.contains("ETag: \"t\""))
    }

    @Test func packedContent_isTheSameAndHasATagOfItsOwn() async throws {
        let response = Self.content.response(to: Self.head { $0.acceptEncoding = "gzip" })
        #expect(response.status == 200)
        #expect(response.headers.contains("Content-Encoding: gzip"))
        #expect(response.headers.contains("ETag: \"t-gzip\""))
        let packed = try #require(response.shortBody)
        #expect(packed.count < Self.text.count)
        #expect(try await unpacked(packed) == Self.text)
        let again = Self.content.response(
            to: Self.head {
                $0.acceptEncoding = "gzip"
                $0.ifNoneMatch = "\"t-gzip\""
            })
        #expect(again.status == 304)
    }

    @Test func part_isNeverPacked() throws {
        let response = Self.content.response(
            to: Self.head {
                $0.acceptEncoding = "gzip"
                $0.range = "bytes=4-9"
            })
        #expect(response.status == 206)
        #expect(response.shortBody == Array(Self.text[4...9]))
        #expect(response.headers.contains("Content-Range: bytes 4-9/\(Self.text.count)"))
        #expect(!response.headers.contains("Content-Encoding: gzip"))
    }

    @Test func partOfAnotherState_isTheWhole() {
        let response = Self.content.response(
            to: Self.head {
                $0.range = "bytes=4-9"
                $0.ifRange = "\"s\""
            })
        #expect(response.status == 200)
        #expect(response.shortBody == Self.text)
    }

    @Test func partBeyondTheEnd_isRefusedWithTheLength() {
        let response = Self.content.response(to: Self.head { $0.range = "bytes=\(Self.text.count)-" })
        #expect(response.status == 416)
        #expect(response.headers.contains("Content-Range: bytes */\(Self.text.count)"))
    }

    @Test func head_hasNoRanges() {
        #expect(Self.content.response(to: Self.head("HEAD") { $0.range = "bytes=0-1" }).status == 200)
    }

    @Test func whatPackingMakesLarger_isNotPacked() {
        let content = HTTPContent([1, 2, 3], contentType: "text/plain", tag: nil)
        let response = content.response(to: Self.head { $0.acceptEncoding = "gzip" })
        #expect(response.shortBody == [1, 2, 3])
        #expect(response.headers == ["Accept-Ranges: bytes"])
    }

    @Test func producedText_isPackedPieceByPiece() async throws {
        let pieces = Journal((0..<50).map { number in [UInt8]("line \(number)\n".utf8) + noise(20_000, number) })
        let all = pieces.now.flatMap { $0 }
        let content = HTTPContent(contentType: "text/plain") {
            ProducedBody { pieces.note { $0.isEmpty ? nil : $0.removeFirst() } }
        }
        let response = content.response(to: Self.head { $0.acceptEncoding = "gzip" })
        guard case .stream(let source) = response.body else { throw BenchError("not streamed") }
        var packed: [UInt8] = []
        while let piece = try await source.next() {
            #expect((1...bodyPieceBytesMax).contains(piece.count))
            packed += piece
        }
        #expect(source.byteCount == nil)
        #expect(digest(try await unpacked(packed) ?? []) == digest(all))
    }

    @Test func producedPieces_areCutToTheBound() async throws {
        let left = Journal([noise(200_000, 1), [], noise(10, 2)])
        let source = ProducedBody { left.note { $0.isEmpty ? nil : $0.removeFirst() } }
        var counts: [Int] = []
        while let piece = try await source.next() { counts.append(piece.count) }
        #expect(counts == [65_536, 65_536, 65_536, 3_392, 10])
    }

    // MARK: Files

    @Test func symbolicLink_isNoFile() throws {
        let folder = try TemporaryFolder()
        try Data("there".utf8).write(to: URL(fileURLWithPath: folder.path + "/there"))
        symlink(folder.path + "/there", folder.path + "/link")
        #expect(OpenFile(path: folder.path + "/there")?.byteCount == 5)
        #expect(OpenFile(path: folder.path + "/link") == nil)
        #expect(OpenFile(path: folder.path) == nil)
        #expect(OpenFile(path: folder.path + "/nothing") == nil)
    }

    @Test func pipe_isNoFile() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(OpenFile(path: folder.path + "/pipe") == nil)
    }

    @Test func fileThatWasReplaced_hasAnotherTag() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/file")
        try Data("one".utf8).write(to: url)
        let before = try #require(OpenFile(path: url.path))
        try Data("two".utf8).write(to: url, options: .atomic)
        let after = try #require(OpenFile(path: url.path))
        #expect(before.tag != after.tag)
    }

    @Test func replacedFile_isReadToItsOldEnd() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/file")
        let old = noise(100_000, 3)
        try Data(old).write(to: url)
        let file = try #require(OpenFile(path: url.path))
        try Data("new".utf8).write(to: url, options: .atomic)
        let body = FileBody(file, part: 10..<100_000)
        var read: [UInt8] = []
        while let piece = try await body.next() { read += piece }
        #expect(digest(read) == digest(Array(old[10...])))
    }

    @Test func fileThatWasCut_failsInsteadOfEnding() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/file")
        try Data(noise(100_000, 4)).write(to: url)
        let file = try #require(OpenFile(path: url.path))
        truncate(url.path, 70_000)
        let body = FileBody(file, part: 0..<100_000)
        await #expect(throws: BodyError.self) {
            while try await body.next() != nil {}
        }
    }
}

/// Stands for many bytes in a comparison, and is short when it fails.
func digest(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\(bytes.count) bytes, \(String(sum, radix: 16))"
}

/// Bytes that no packing makes smaller.
func noise(_ count: Int, _ seed: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

/// What gzip makes of it; nil when it is none, or not whole.
func unpacked(_ packed: [UInt8]) async throws -> [UInt8]? {
    let result = try await Subprocess.run(
        .name("gzip"), arguments: ["-dc"], input: .array(packed), output: .bytes(limit: 16 << 20))
    return result.terminationStatus.isSuccess ? result.standardOutput : nil
}
