internal import Foundation

/// The file of an upload under way: its first pieces, each sealed when it arrives. It outlasts cuts and restarts.
///
/// Nothing is synced before the upload is complete. After a power loss the last pieces may not open; `content` cuts
/// them off, and the client sends them again.
public struct PartialFile: Sendable {
    private let file: Descriptor
    private let seal: PieceSeal

    init(_ file: Descriptor, _ seal: PieceSeal) {
        self.file = file
        self.seal = seal
    }

    /// Bytes in the clear that have arrived, in whole pieces.
    public func received() throws(AssetFileError) -> Int {
        let pieces = seal.layout.wholePieces(inSealed: try file.size())
        return min(pieces * seal.layout.pieceBytes, seal.layout.length)
    }

    /// Adds the next piece.
    /// - Parameter bytes: the whole piece that begins behind `received`.
    public func append(_ bytes: [UInt8]) throws(AssetFileError) {
        let piece = try received() / seal.layout.pieceBytes
        try file.write(try seal.seal(bytes, piece: piece), at: seal.layout.sealed(piece).lowerBound)
    }

    /// All bytes in the clear; nil = a piece did not open. Then it and what is behind it are gone.
    public func content() throws(AssetFileError) -> [UInt8]? {
        var content: [UInt8] = []
        content.reserveCapacity(seal.layout.length)
        for piece in 0..<seal.layout.pieceCount {
            let place = seal.layout.sealed(piece)
            guard let plain = seal.open(try file.read(place), piece: piece) else {
                try file.cut(to: place.lowerBound)
                return nil
            }
            content += plain
        }
        return content
    }
}

/// A complete file, held open, so that it may be deleted while it is read.
public struct SealedFile: Sendable {
    private let file: Descriptor
    private let seal: PieceSeal

    /// Opens a file.
    /// - Throws: `AssetFileError` also for a file of another size than the layout says.
    public init(path: String, seal: PieceSeal) throws(AssetFileError) {
        file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        self.seal = seal
        guard try file.size() == seal.layout.sealedLength else {
            throw AssetFileError(operation: "open \(path)", cause: "it has a wrong length", isDiskFull: false)
        }
    }

    /// The bytes of a part that lie in the piece in which it begins: some of the part, and at least one byte.
    /// - Throws: `AssetFileError` when the piece is damaged.
    public func beginning(of part: Range<Int>) throws(AssetFileError) -> [UInt8] {
        let piece = part.lowerBound / seal.layout.pieceBytes
        guard let plain = seal.open(try file.read(seal.layout.sealed(piece)), piece: piece) else {
            throw AssetFileError(operation: "read an asset", cause: "piece \(piece) is damaged", isDiskFull: false)
        }
        let range = seal.layout.plain(piece).clamped(to: part)
        let start = range.lowerBound - piece * seal.layout.pieceBytes
        return Array(plain[start..<start + range.count])
    }

    /// All bytes.
    /// - Throws: `AssetFileError` when a piece is damaged.
    public func content(byteCount: Int) throws(AssetFileError) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(byteCount)
        while content.count < byteCount { content += try beginning(of: content.count..<byteCount) }
        return content
    }

    /// Whether every piece opens.
    public var isSound: Bool {
        (0..<seal.layout.pieceCount).allSatisfy { piece in
            guard let sealed = try? file.read(seal.layout.sealed(piece)) else { return false }
            return seal.open(sealed, piece: piece) != nil
        }
    }
}
