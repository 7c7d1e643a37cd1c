internal import CairnConfiguration
internal import CairnCore
internal import CairnWire

extension WireLimits {
    /// The limits in force, as `welcome` tells them.
    init(_ world: World) {
        self.init()
        let configuration = world.configuration
        messageBytes = UInt32(configuration.connections.messageBytesMax)
        messagesPerSecond = UInt32(configuration.connections.messagesPerSecond)
        positionsPerSecond = UInt32(configuration.connections.positionsPerSecond)
        presenceInterval = UInt32(configuration.presence.intervalMilliseconds)
        pingInterval = UInt32(configuration.connections.pingSeconds)
        silence = UInt32(configuration.connections.silenceSeconds)
        viewRadius = configuration.cells.viewRadiusMetres
        cellLevel = UInt32(configuration.cells.level)
        world.register.describe(world.settings, into: &self)
    }
}
