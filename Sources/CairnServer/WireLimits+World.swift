internal import CairnConfiguration
internal import CairnCore
internal import CairnWire

extension WireLimits {
    /// The limits in force, as `welcome` tells them.
    init(_ configuration: Configuration, _ settings: Settings, of register: FeatureRegister) {
        self.init()
        messageBytes = UInt32(configuration.connections.messageBytesMax)
        messagesPerSecond = UInt32(configuration.connections.messagesPerSecond)
        positionsPerSecond = UInt32(configuration.connections.positionsPerSecond)
        presenceInterval = UInt32(configuration.presence.intervalMilliseconds)
        pingInterval = UInt32(configuration.connections.pingSeconds)
        silence = UInt32(configuration.connections.silenceSeconds)
        viewRadius = configuration.cells.viewRadiusMetres
        cellLevel = UInt32(configuration.cells.level)
        guestsLook = configuration.guests.look
        policyVersion = configuration.accounts.policyVersion
        assetBytes = UInt64(configuration.assets.bytesMax)
        pictureBytes = UInt64(configuration.assets.pictureBytesMax)
        providers = configuration.providers.names
        register.describe(settings, into: &self)
    }
}
