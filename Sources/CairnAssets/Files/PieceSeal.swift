internal import CairnCrypto
internal import Foundation

/// How the bytes of a file are divided into pieces, which are sealed one by one, so that a part can be read without the
/// rest.
public struct PieceLayout: Hashable, Sendable {
    /// Bytes in the clear.
    public let length: Int
    /// Bytes of each piece in the clear; the last may be shorter.
    public let pieceBytes: Int

    /// AES-GCM's tag behind each piece.
    static let tagBytes = AES.GCM.tagBytes

    public init(length: Int, pieceBytes: Int) {
        precondition(length >= 0 && pieceBytes > 0, "a layout has pieces of at least one byte")
        self.length = length
        self.pieceBytes = pieceBytes
    }

    public var pieceCount: Int { (length + pieceBytes - 1) / pieceBytes }

    /// Bytes of the whole file on disk.
    public var sealedLength: Int { length + pieceCount * Self.tagBytes }

    /// The bytes in the clear that a piece holds.
    public func plain(_ piece: Int) -> Range<Int> {
        min(piece * pieceBytes, length)..<min((piece + 1) * pieceBytes, length)
    }

    /// The bytes of the file that a piece takes.
    func sealed(_ piece: Int) -> Range<Int> {
        let start = piece * (pieceBytes + Self.tagBytes)
        return start..<start + plain(piece).count + Self.tagBytes
    }

    /// Whole pieces in the first bytes of a file.
    func wholePieces(inSealed bytes: Int) -> Int {
        bytes >= sealedLength ? pieceCount : bytes / (pieceBytes + Self.tagBytes)
    }
}

/// Seals the pieces of one file with AES-256-GCM under the file's own key (DAT-7).
///
/// A piece is bound to the file's name, its number and the file's length: it opens in no other place, and a shortened
/// file does not open. Its nonce is its number. So a key seals one file, once.
public struct PieceSeal: Sendable {
    public static let keyBytes = 32

    private let cipher: AES.GCM
    private let name: AssetFileName
    public let layout: PieceLayout

    /// - Parameter key: `keyBytes` random bytes that seal nothing else.
    public init(key: [UInt8], name: AssetFileName, layout: PieceLayout) {
        precondition(key.count == Self.keyBytes, "a key has 256 bits")
        cipher = AES.GCM(SymmetricKey(data: key))
        self.name = name
        self.layout = layout
    }

    /// A new key.
    public static func makeKey() -> [UInt8] { randomBytes(keyBytes) }

    /// The sealed bytes of a piece.
    func seal(_ plain: some Collection<UInt8>, piece: Int) throws(AssetFileError) -> [UInt8] {
        precondition(plain.count == layout.plain(piece).count, "a piece has the length that the layout says")
        do throws(CryptoFault) {
            return try cipher.seal(plain, nonce: nonce(piece), authenticating: bound(piece))
        } catch {
            throw AssetFileError(operation: "seal an asset", cause: "\(error)", isDiskFull: false)
        }
    }

    /// The bytes in the clear; nil = damaged.
    func open(_ sealed: [UInt8], piece: Int) -> [UInt8]? {
        guard sealed.count == layout.sealed(piece).count else { return nil }
        return cipher.open(sealed, nonce: nonce(piece), authenticating: bound(piece))
    }

    private func nonce(_ piece: Int) -> [UInt8] { [0, 0, 0, 0] + Self.bytes(of: piece) }

    private func bound(_ piece: Int) -> [UInt8] {
        Array("cairn asset 1".utf8) + name.bytes + Self.bytes(of: piece) + Self.bytes(of: layout.length)
    }

    private static func bytes(of number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
    }
}

/// A file of an asset cannot be written or read.
public struct AssetFileError: Error, Sendable, CustomStringConvertible {
    public let operation: String
    public let cause: String
    public let isDiskFull: Bool

    init(operation: String, cause: String, isDiskFull: Bool) {
        self.operation = operation
        self.cause = cause
        self.isDiskFull = isDiskFull
    }

    /// By the C library's error code.
    init(_ operation: String) {
        let code = errno
        self.init(
            operation: operation, cause: String(cString: strerror(code)), isDiskFull: code == ENOSPC || code == EDQUOT)
    }

    public var description: String { "assets: \(operation): \(cause)" }
}
