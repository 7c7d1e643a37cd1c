internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Checks that several commands share.
extension Placements {
    /// Checks that the pose is within the sender's reach (PLC-5) and in no restricted area (PLC-15).
    static func checkGround(
        of pose: PlacedPose, for sender: Sender, _ settings: PlacementSettings
    ) throws(Refusal) {
        guard let position = sender.position else { throw refusal(.positionRequired, "send a position first") }
        let distance = try distanceMetres(from: position, to: pose)
        guard distance <= settings.reachMetres else {
            let (metres, reach) = (Int(distance.rounded(.up)), Int(settings.reachMetres))
            throw refusal(
                .tooFar, "\(metres) m away, the reach is \(reach) m",
                details: ["distance": "\(metres)", "limit": "\(reach)"])
        }
        guard !settings.restrictedAreas.contains(pose.coordinate) else {
            throw Refusal(.restrictedArea, component: name)
        }
    }

    /// Straight-line distance, height included. A sender whose height is unknown may place at any height that ground
    /// can have, and counts as being at the height of the instance.
    private static func distanceMetres(from position: GeoPoint, to pose: PlacedPose) throws(Refusal) -> Double {
        let across = position.coordinate.distanceMetres(to: pose.coordinate)
        guard let altitude = position.altitudeMetres else {
            guard groundMetres.contains(pose.heightMetres) else {
                let (lowest, highest) = (Int(groundMetres.lowerBound), Int(groundMetres.upperBound))
                throw Refusal(
                    .tooFar,
                    "without the height of your position h is \(lowest) to \(highest) m",
                    component: name, details: ["field": "h"])
            }
            return across
        }
        let up = pose.heightMetres - altitude
        return (across * across + up * up).squareRoot()
    }

    /// Heights of ground above the ellipsoid: from the shore of the Dead Sea to the top of Everest, with some margin.
    private static let groundMetres = -500.0...9_000.0

    /// Checks that the cell has room for one more instance of an account (PLC-5, PLC-15).
    static func checkRoom(for account: AccountID, in turn: Turn) throws(Refusal) {
        let own = turn.objects.liveCount(of: account)
        let areaQuota = turn.settings.placements.areaQuota
        guard own < areaQuota else {
            throw refusal(
                .quotaArea, "\(own) of your instances are in this cell, the limit is \(areaQuota)",
                details: ["count": "\(own)", "limit": "\(areaQuota)"])
        }
        let room = turn.settings.instancesPerCellMax
        let count = turn.objects.count(of: .object)
        guard count < room else {
            throw refusal(
                .cellFull, "the cell holds \(count) instances", details: ["limit": "\(room)"])
        }
    }

    /// The names of the sub-realms in which an own instance is shared, of those that the sender is in. A person who has
    /// left a sub-realm does not learn from things that stay there whether it still exists.
    static func realms(of audience: Audience, for sender: Sender, in turn: Turn) -> [String] {
        audience.scopes.compactMap { scope in
            guard sender.scopes.contains(scope), case .realm(let id)? = scope.home else { return nil }
            return turn.name(of: id)
        }
    }

    /// Whether an instance is in this cell, with the changes of all earlier commands, and exists for the sender.
    static func isHere(_ id: InstanceID, for sender: Sender, in turn: Turn) -> Bool {
        turn.objects.record(id, .object)?.isSeen(by: sender) == true
    }

    /// The sender's own instance of this name, if no move of it to another cell is under way.
    static func ownRecord(_ name: String, for request: Request, in turn: Turn) throws(Refusal) -> ObjectRecord {
        let id = turn.instance(named: name)
        guard let record = turn.objects.record(id, .object), record.isSeen(by: request.sender) else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Self.name)
        }
        guard record.owner == request.sender.account else {
            throw refusal(.forbidden, "only the placer may change an instance")
        }
        guard !record.isMoving else {
            throw refusal(.tryAgain, "the instance is on its way to another cell", wait: .milliseconds(50))
        }
        return record
    }
}

extension WireInstance {
    /// Removes text and data.
    mutating func clearInscription() {
        text = ""
        dataBytes = []
    }
}
