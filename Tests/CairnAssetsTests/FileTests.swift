import CairnAssets
import Foundation
import Testing

/// Files of assets are sealed piece by piece (OBJ-12, DAT-7).
@Suite struct FileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "assets-\(UUID().uuidString)").path
    private let name = AssetFileName.random()
    private let key = PieceSeal.makeKey()

    private func content(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) } }

    private func seal(_ length: Int, piece: Int = 100) -> PieceSeal {
        PieceSeal(key: key, name: name, layout: PieceLayout(length: length, pieceBytes: piece))
    }

    private func read(_ file: SealedFile, _ part: Range<Int>) throws -> [UInt8] {
        var (bytes, left) = ([UInt8](), part)
        while !left.isEmpty {
            let more = try file.beginning(of: left)
            bytes += more
            left = left.lowerBound + more.count..<left.upperBound
        }
        return bytes
    }

    @Test(arguments: [1, 99, 100, 101, 1_000, 1_001])
    func file_isReadInParts(_ length: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, seal) = (content(length), seal(length))
        let assets = AssetFolder(path: folder)
        try assets.write(content, as: name, seal: seal)
        let file = try SealedFile(path: assets.path(of: name), seal: seal)
        #expect(file.isSound)
        for part in [0..<length, 0..<1, length - 1..<length, length / 3..<length / 2] {
            #expect(try read(file, part) == Array(content[part]))
        }
        #expect(assets.names() == [name])
    }

    @Test func file_showsNothingOfItsContent() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = Array("a place and a person, again and again and again".utf8)
        let assets = AssetFolder(path: folder)
        try assets.write(text, as: name, seal: seal(text.count))
        let bytes = Array(try #require(FileManager.default.contents(atPath: assets.path(of: name))))
        #expect(bytes.count == text.count + 16)
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: "and".utf8) })
        let mode = try FileManager.default.attributesOfItem(atPath: assets.path(of: name))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func changedFile_isNoticed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let assets = AssetFolder(path: folder)
        try assets.write(content(250), as: name, seal: seal(250))
        let path = assets.path(of: name)
        let whole = Array(try #require(FileManager.default.contents(atPath: path)))
        for place in [0, 99, 115, 116, 231, 232, whole.count - 1] {
            var bytes = whole
            bytes[place] ^= 1
            try Data(bytes).write(to: URL(filePath: path))
            #expect(try !SealedFile(path: path, seal: seal(250)).isSound)
        }
        // The first two pieces in the other order, and a file that ends too early.
        let swapped = whole[116..<232] + whole[..<116] + whole[232...]
        try Data(swapped).write(to: URL(filePath: path))
        #expect(try !SealedFile(path: path, seal: seal(250)).isSound)
        try Data(whole[..<232]).write(to: URL(filePath: path))
        #expect(throws: AssetFileError.self) { try SealedFile(path: path, seal: seal(250)) }
        #expect(try !SealedFile(path: path, seal: seal(200)).isSound)
    }

    @Test func upload_continuesBehindItsWholePieces() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, seal) = (content(250), seal(250))
        let assets = AssetFolder(path: folder)
        #expect(assets.idleSeconds(ofUpload: name) == nil)
        var file = try assets.upload(name, seal: seal)
        #expect(try file.received() == 0)
        try file.append(Array(content[..<100]))
        #expect(try file.received() == 100)
        // A crash in the middle of a piece.
        let path = folder + "/uploads/\(name)"
        let torn = try #require(FileManager.default.contents(atPath: path)) + Data([1, 2, 3])
        try torn.write(to: URL(filePath: path))
        file = try assets.upload(name, seal: seal)
        #expect(try file.received() == 100)
        try file.append(Array(content[100..<200]))
        try file.append(Array(content[200...]))
        #expect(try file.received() == 250)
        #expect(try file.content() == content)
        #expect(assets.idleSeconds(ofUpload: name) != nil && assets.uploadNames() == [name])
        assets.removeUpload(name)
        #expect(assets.uploadNames().isEmpty)
    }

    @Test func pieceThatDoesNotOpen_isSentAgain() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, seal) = (content(250), seal(250))
        let file = try AssetFolder(path: folder).upload(name, seal: seal)
        for start in [0, 100, 200] { try file.append(Array(content[start..<min(start + 100, 250)])) }
        // As after a power loss.
        let path = folder + "/uploads/\(name)"
        var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        for place in 116..<232 { bytes[place] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        let again = try AssetFolder(path: folder).upload(name, seal: seal)
        #expect(try again.content() == nil)
        #expect(try again.received() == 100)
    }

    @Test func draft_isNoFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let assets = AssetFolder(path: folder)
        try assets.write(content(3), as: name, seal: seal(3))
        let draft = assets.path(of: name) + ".part"
        try Data([1]).write(to: URL(filePath: draft))
        #expect(assets.names() == [name])
        #expect(assets.removeDrafts() == 1 && assets.names() == [name])
    }

    @Test func name_isReadAsItIsWritten() {
        #expect(AssetFileName("\(name)") == name)
        #expect(AssetFileName("\(name)".uppercased()) == nil || "\(name)".uppercased() == "\(name)")
        #expect(AssetFileName("../../etc/passwd") == nil && AssetFileName("") == nil)
    }
}
