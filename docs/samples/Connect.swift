// A client of Cairn in one file: connect, tell a position, place, react, resume; and the maps between frames.
//
// For iOS, iPadOS, macOS and visionOS: it needs nothing but Foundation. The project's tests compile it on Linux and do
// not run it: there Foundation opens no WebSockets. In a Swift package use the library CairnClient, which keeps what
// must not get lost.

import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

let url = URL(string: "ws://127.0.0.1:8080/v1")!
/// Of an earlier welcome or of your app's backend; empty: the name is enough where the server lets anybody in.
let token = ""
let name = "ada"
let here: [String: Any] = ["lat": 47.3769, "lon": 8.5417, "h": 408.0]

typealias JSON = [String: Any]

// MARK: Between GeoPose's east-north-up frame and the axes of ARKit: +X east, +Y up, +Z south

struct Placed: Equatable {
    var position: SIMD3<Double>
    /// x, y, z, w.
    var turn: SIMD4<Double>

    init(_ position: SIMD3<Double>, _ turn: SIMD4<Double>) { (self.position, self.turn) = (position, turn) }

    var toDevice: Placed {
        Placed([position.x, position.z, -position.y], [turn.x, turn.z, -turn.y, turn.w])
    }
    var fromDevice: Placed {
        Placed([position.x, -position.z, position.y], [turn.x, -turn.z, turn.y, turn.w])
    }
}

let half = 0.5.squareRoot()
/// East-north-up, then the device's.
let vectors: [(Placed, Placed)] = [
    (Placed([1, 2, 3], [0, 0, 0, 1]), Placed([1, 3, -2], [0, 0, 0, 1])),
    (Placed([0, 10, 0], [0, 0, half, half]), Placed([0, 0, -10], [0, half, 0, half])),
    (Placed([-4, 0, 1.5], [half, 0, 0, half]), Placed([-4, 1.5, 0], [half, 0, 0, half])),
    (Placed([0, -7, -0.25], [0, half, 0, half]), Placed([0, -0.25, 7], [0, 0, -half, half])),
    (Placed([1, -1, 1], [0.5, 0.5, 0.5, 0.5]), Placed([1, 1, 1], [0.5, 0.5, -0.5, 0.5])),
]
for (enu, device) in vectors { precondition(enu.toDevice == device && device.fromDevice == enu) }

// MARK: The session

struct Refused: Error { let code: String, message: String }

/// What survives a cut: who we are, and how much of each topic we have seen.
final class Session {
    private var socket: URLSessionWebSocketTask?
    private var ownToken = token
    private var session = ""
    private var cursors: [String: JSON] = [:]
    private(set) var things: [String: JSON] = [:]
    private var lastID = 0

    func connect() async throws -> JSON {
        socket = URLSession.shared.webSocketTask(with: url, protocols: ["cairn.v1.json"])
        socket?.resume()
        var hello: JSON = ["version": 1, "frontEnd": "sample", "session": session, "cursors": Array(cursors.values)]
        if ownToken.isEmpty { hello["name"] = name } else { hello["token"] = ownToken }
        let welcome = try await ask("hello", hello)["welcome"] as? JSON ?? [:]
        ownToken = welcome["token"] as? String ?? ""
        session = welcome["session"] as? String ?? ""
        return welcome
    }

    /// Sends a request and waits for its answer. A change has a key: sent again with it, it still happens once.
    func ask(_ kind: String, _ body: JSON, key: String? = nil) async throws -> JSON {
        lastID += 1
        let id = lastID
        var message: JSON = ["id": id, kind: body]
        message["key"] = key
        let data = try JSONSerialization.data(withJSONObject: message)
        try await socket?.send(.string(String(decoding: data, as: UTF8.self)))
        while case .string(let text)? = try await socket?.receive() {
            let items = (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? JSON)?["items"] as? [JSON] ?? []
            items.forEach(take)
            for case let reply as JSON in items.compactMap({ $0["reply"] }) where reply["id"] as? Int == id {
                guard let refusal = reply["refusal"] as? JSON else { return reply }
                throw Refused(code: refusal["code"] as? String ?? "", message: refusal["message"] as? String ?? "")
            }
        }
        throw Refused(code: "unreachable", message: "the connection has ended")
    }

    /// Keeps the view: snapshots, then numbered events.
    private func take(_ item: JSON) {
        if let snapshot = item["snapshot"] as? JSON, let cursor = snapshot["cursor"] as? JSON,
            let topic = cursor["topic"] as? String
        {
            if snapshot["last"] as? Bool == true { cursors[topic] = cursor }
            for case let thing as JSON in snapshot["instances"] as? [Any] ?? [] {
                if let id = thing["id"] as? String { things[id] = thing }
            }
        } else if let event = item["event"] as? JSON, let topic = event["topic"] as? String {
            cursors[topic]?["sequence"] = event["sequence"]
            if let thing = (event["entered"] as? JSON)?["instance"] as? JSON, let id = thing["id"] as? String {
                things[id] = thing
            }
            if let id = (event["left"] as? JSON)?["instance"] as? String { things[id] = nil }
        }
    }

    /// Ends the link as a tunnel would: the session can be resumed.
    func cut() { socket?.cancel() }
}

let session = Session()
print("welcome,", try await session.connect()["name"] ?? "guest")
print("in cell", (try await session.ask("position", here)["positioned"] as? JSON)?["cell"] ?? "")

let pose: JSON = ["geopose": ["position": here, "quaternion": ["x": 0, "y": 0, "z": 0, "w": 1]]]
let key = UUID().uuidString
func place() async throws -> JSON {
    let reply = try await session.ask("place", ["object": "preset:heart", "pose": pose], key: key)
    return (reply["placed"] as? JSON)?["instance"] as? JSON ?? [:]
}
let heart = try await place()
print("placed", heart["id"] ?? "")
let target: JSON = ["instance": heart["id"] ?? "", "cell": heart["cell"] ?? ""]
let like = target.merging(["reaction": "like"]) { $1 }
print("reacted", try await session.ask("react", like, key: UUID().uuidString))

// The link breaks. The same request with the same key gives the first answer again and places nothing.
session.cut()
print("resumed", try await session.connect()["resumed"] ?? false)
_ = try await session.ask("position", here)
let again = try await place()
precondition(again["id"] as? String == heart["id"] as? String)
_ = try await session.ask("remove", target, key: UUID().uuidString)
print("removed", heart["id"] ?? "")
