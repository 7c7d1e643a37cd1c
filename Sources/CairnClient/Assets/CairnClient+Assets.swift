public import CairnWire
internal import Foundation

/// Assets: pictures, recordings and tours in chunks over the socket, and addresses to download them from (OBJ-12).
extension CairnClient {
    /// Uploads a picture, a recording or the GeoJSON of a tour. Continues where an earlier upload of the same bytes was
    /// cut off, also one of another connection or of a client that is gone.
    ///
    /// The server's limit of bytes a second decides how long it takes. The server does not store metadata of the
    /// content that tell of a place or a person.
    /// - Parameters:
    ///   - content: all bytes.
    ///   - sha256: the SHA-256 of these bytes, 32 bytes.
    ///   - progress: called with the number of bytes that have arrived.
    /// - Returns: the asset's id, for instance for `WireEditProfile.picture`.
    /// - Throws: `too_large`, `limit_reached`, `asset_corrupt`, `invalid_field`, `too_many_attempts`.
    public func upload(
        _ content: [UInt8], sha256: [UInt8], progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(Refusal) -> String {
        var begin = WireBeginUpload()
        begin.sha256 = Data(sha256)
        begin.length = UInt64(content.count)
        var state = try await ask(begin)
        while state.asset.isEmpty {
            guard state.offset <= content.count, state.chunkBytes > 0 else { throw Self.otherAnswer }
            progress(Int(state.offset))
            let start = Int(state.offset)
            var chunk = WireUploadChunk()
            chunk.upload = state.upload
            chunk.offset = state.offset
            chunk.data = Data(content[start..<min(start + Int(state.chunkBytes), content.count)])
            do {
                state = try await ask(chunk)
            } catch  where error.code == .notFound {
                // The last chunk was sent twice over a cut, and the first one completed the asset; or the upload's time
                // is over.
                state = try await ask(begin)
            }
        }
        progress(content.count)
        return state.asset
    }

    /// An address from which an asset can be downloaded, relative to the server's. It is this person's own.
    /// - Parameter owner: whose profile has it as picture; nil = an asset of one's own.
    public func address(
        ofAsset asset: String, onProfileOf owner: String? = nil
    ) async throws(Refusal) -> WireAssetAddress {
        var body = WireGetAsset()
        body.asset = asset
        body.account = owner ?? ""
        return try await ask(body)
    }
}
