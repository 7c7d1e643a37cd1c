import CairnClient
import CairnTime
import CairnWire

@testable import CairnCrowd

/// Logs of a server that keeps every rule or breaks one.
protocol DoctoredLogs {}

extension DoctoredLogs {
    var here: String { "487604c43" }
    var there: String { "487604c45" }
    /// The time after so many seconds.
    func second(_ number: Int) -> MonotonicTime { .epoch + .seconds(number) }

    /// A short log of a faultless server: two bots follow a cell, bot 0 places an instance, both see it.
    func faultless() -> [Observation] {
        [
            .followed(bot: 0, topic: here, at: .epoch), .followed(bot: 1, topic: here, at: .epoch),
            .placed(bot: 0, .make(1), requestedAt: second(1), at: second(2)),
            .appeared(bot: 0, .make(1)), .appeared(bot: 1, .make(1)),
        ]
    }

    func finals(_ instances: WireInstance..., sequence: UInt64 = 1) -> [FinalTopic] {
        [0, 1].map { FinalTopic(bot: $0, replica: .make(here, sequence: sequence, instances)) }
    }

    /// How often each rule is broken.
    /// - Parameter limits: of the welcome; nil = no bot was welcomed.
    func judge(_ log: [Observation], _ finals: [FinalTopic], limits: WireLimits? = nil) -> [String: Int] {
        var oracle = Oracle()
        if let limits { oracle.learn(limits) }
        for observation in log { oracle.take(observation) }
        return oracle.judge(finals).rules.mapValues(\.count)
    }
}

extension InstanceID {
    static func make(_ number: UInt64) -> InstanceID { InstanceID(rawValue: number) }
}

extension WireInstance {
    static func make(_ number: UInt64, version: UInt32 = 1, cell: String = "487604c43") -> WireInstance {
        var instance = WireInstance()
        instance.id = InstanceID(rawValue: number).description
        instance.version = version
        instance.cell = cell
        instance.pose.geopose.quaternion.w = 1
        return instance
    }
}

extension TopicReplica {
    /// A replica as a client makes it from a snapshot.
    static func make(
        _ topic: String, sequence: UInt64, _ instances: [WireInstance], own: [String] = []
    ) -> TopicReplica {
        replica(topic, sequence: sequence, instances, last: true, own: own)
    }

    static func incomplete(_ topic: String) -> TopicReplica { replica(topic, sequence: 0, [], last: false, own: []) }

    private static func replica(
        _ topic: String, sequence: UInt64, _ instances: [WireInstance], last: Bool, own: [String]
    ) -> TopicReplica {
        var core = ClientCore(profile: ClientProfile(), seed: 1)
        var item = WireItem()
        item.snapshot.cursor.topic = topic
        item.snapshot.cursor.epoch = 1
        item.snapshot.cursor.sequence = sequence
        item.snapshot.first = true
        item.snapshot.last = last
        item.snapshot.instances = instances
        _ = ServerItemEncoder.encode(item, format: .proto).withUnsafeBytes { core.receive($0, now: .epoch) }
        item.own.topic = topic
        item.own.instances = own.map { id in
            var instance = WireOwnInstance()
            instance.id = id
            return instance
        }
        _ = ServerItemEncoder.encode(item, format: .proto).withUnsafeBytes { core.receive($0, now: .epoch) }
        guard let replica = core.view.topics[topic] else { preconditionFailure("a snapshot that makes no topic") }
        return replica
    }
}
