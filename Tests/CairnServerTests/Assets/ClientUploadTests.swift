import CairnClient
import CairnConfiguration
import CairnCrypto
import CairnTesting
import CairnWire
import Foundation
import Testing

/// The client library against a real server (OBJ-12).
@Suite("Client: uploads", .timeLimit(.minutes(10)))
struct ClientUploadTests {
    private static let picture: [UInt8] = {
        let path = URL(filePath: #filePath).appending(path: "../../../EndToEndTests/worlds/quarters.jpg")
        return Array((try? Data(contentsOf: path.standardizedFileURL)) ?? Data())
    }()

    private static let digest = Array(SHA256.hash(data: picture))

    private func client(_ bench: ServerBench, _ name: String) async throws -> CairnClient {
        let url = try #require(ServerURL("ws://127.0.0.1:\(bench.port)/v1"))
        let client = CairnClient(url: url, profile: ClientProfile(name: name, frontEnd: "bot"))
        _ = try await client.connect()
        return client
    }

    @Test func upload_becomesAPicture_thatOthersMayDownload() async throws {
        // Messages so short that the picture is several chunks.
        try await ServerBench.serving({ $0.connections.messageBytesMax = 1_024 }) { bench in
            let (ada, bob) = (try await client(bench, "ada"), try await client(bench, "bob"))
            let told = await confirmation(expectedCount: 2...) { told in
                try? await ada.upload(Self.picture, sha256: Self.digest) { _ in told() }
            }
            let asset = try #require(told)
            #expect(try await ada.upload(Self.picture, sha256: Self.digest) == asset)
            var edit = WireEditProfile()
            edit.picture = asset
            edit.visibleTo = "everyone"
            try await ada.edit(edit)
            let account = try #require(await ada.welcome?.account)
            #expect(try await bob.profile(of: account).picture == asset)
            let address = try await bob.address(ofAsset: asset, onProfileOf: account)
            let page = try await bench.get(address.path)
            #expect(page.status == 200 && address.length == Self.picture.count)
            let refusal = await #expect(throws: Refusal.self) { try await bob.address(ofAsset: asset) }
            #expect(refusal?.code == .notFound)
        }
    }

    @Test func wrongBytes_areRefused() async throws {
        try await ServerBench.serving { bench in
            let ada = try await client(bench, "ada")
            let other = [UInt8](repeating: 0, count: 32)
            var refusal = await #expect(throws: Refusal.self) { try await ada.upload(Self.picture, sha256: other) }
            #expect(refusal?.code == .assetCorrupt)
            let text = Array("no picture".utf8)
            refusal = await #expect(throws: Refusal.self) {
                try await ada.upload(text, sha256: Array(SHA256.hash(data: text)))
            }
            #expect(refusal?.code == .invalidField && refusal?.details["field"] == "type")
        }
    }
}
