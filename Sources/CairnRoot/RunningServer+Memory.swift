internal import CairnConfiguration
internal import CairnServer
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import Foundation
internal import Logging

extension RunningServer {
    /// Watches how near the process is to its limits of memory and makes room, until the task is cancelled (B30).
    func watchMemory() async {
        let membership = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
        let group = membership.flatMap { ControlGroup(membership: $0) }
        var gauge = MemoryGauge()
        var rest = HeapRest(.read(), now: .now)
        while !Task.isCancelled {
            let before = gauge.level
            let settings = configuration.overload
            let uses = ProcessMemory.uses(settingMegabytes: settings.memoryMegabytes, group: group)
            let relief = gauge.look(uses, now: .now)
            context.memory.publish(gauge)
            if gauge.level != before { tell(gauge, isWorse: gauge.level > before) }
            if relief.closes { for shard in shards { await shard.closeFurthestBehind() } }
            if relief.releases { await releaseMemory() }
            if rest.look(.read(), now: .now) {
                ProcessMemory.giveBack()
                rest.rested(.read())
            }
            try? await Task.sleep(for: gauge.pause)
        }
    }

    private func tell(_ gauge: MemoryGauge, isWorse: Bool) {
        guard let use = gauge.nearest else { return }
        context.logger.log(
            level: isWorse ? .warning : .notice, "memory",
            metadata: [
                "state": "\(gauge.level)", "limit": "\(use.limit.rawValue)", "usedBytes": "\(use.usedBytes)",
                "limitBytes": "\(use.limitBytes)",
            ])
    }

    /// Frees what no user needs: homes without users, cached pages of the database, free memory of the heap.
    private func releaseMemory() async {
        for shard in shards { await shard.putAllToSleep() }
        await store.releaseMemory()
        ProcessMemory.giveBack()
    }
}
