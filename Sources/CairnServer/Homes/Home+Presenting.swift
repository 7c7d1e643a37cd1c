internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// What a home presents to one follower, for a snapshot that is complete by itself (SYN-1).
extension Home {
    /// Answers with the nearest of what the follower's topic holds for it: the same as its view.
    func present(_ request: FollowRequest, nearest place: Coordinate) {
        host.core.value.open(request.scope)
        var part = WireWorldSnapshot()
        part.instances = host.core.lend { $0.topic(request.scope)?.instances(without: request.absent) } ?? []
        if let item = host.core.lend({ $0.own(of: request.account, in: request.scope) }) {
            part.own = item.own.instances
            // Other people do not see them, so no topic holds them.
            for hidden in item.own.hidden {
                part.instances.append(hidden)
                part.own.append(hidden.named)
            }
        }
        part.keepNearest(to: place, countMax: host.context.configuration.cells.snapshotInstancesMax)
        let work = ConnectionWork.presented(Topic(address, request.scope), number: request.number, part)
        let participant = request.participant
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }
}

extension WireInstance {
    /// Where it is, as clients are told; nil = nowhere.
    fileprivate var place: Coordinate? {
        hasPost
            ? Coordinate(latitude: post.place.lat, longitude: post.place.lon)
            : Coordinate(latitude: pose.geopose.position.lat, longitude: pose.geopose.position.lon)
    }

    fileprivate var named: WireOwnInstance {
        var named = WireOwnInstance()
        (named.id, named.created) = (id, created)
        return named
    }
}

extension WireWorldSnapshot {
    /// Most bytes of the instances in their binary form: a quarter of what one connection's outbox holds by default.
    static let bytesMax = 262_144

    /// Orders the instances by their distance, each once, and leaves out those that have no room.
    mutating func keepNearest(to place: Coordinate, countMax: Int) {
        var seen: Set<String> = []
        let near = instances.filter { seen.insert($0.id).inserted }
            .map { (instance: $0, metres: $0.place?.distanceMetres(to: place) ?? .infinity) }
            .sorted { ($0.metres, $0.instance.id) < ($1.metres, $1.instance.id) }
        var bytes = 0
        let kept = near.prefix(countMax).prefix { entry in
            bytes += WireBody.encode(entry.instance).count
            return bytes <= Self.bytesMax
        }
        instances = kept.map(\.instance)
        leftOut += UInt32(near.count - kept.count)
        let ownByID = Dictionary(own.map { ($0.id, $0) }) { first, _ in first }
        own = instances.compactMap { ownByID[$0.id] }
    }
}
