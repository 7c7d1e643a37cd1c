internal import CairnFeatures
internal import CairnWire

extension WireLimits {
    /// The limits in force, as `welcome` tells them.
    init(_ configuration: Configuration) {
        self.init()
        messageBytes = UInt32(configuration.connections.messageBytesMax)
        messagesPerSecond = UInt32(configuration.connections.messagesPerSecond)
        positionsPerSecond = UInt32(configuration.connections.positionsPerSecond)
        presenceInterval = UInt32(configuration.presence.intervalMilliseconds)
        pingInterval = UInt32(configuration.connections.pingSeconds)
        silence = UInt32(configuration.connections.silenceSeconds)
        viewRadius = configuration.cells.viewRadiusMetres
        cellLevel = UInt32(configuration.cells.level)
        reach = configuration.placement.reachMetres
        areaQuota = UInt32(configuration.placement.areaQuota)
        placementsPerMinute = UInt32(configuration.placement.perMinute)
        placementsPerDay = UInt32(configuration.placement.perDay)
        scaleMin = configuration.placement.scaleMin
        scaleMax = configuration.placement.scaleMax
        reactions = configuration.reactions.names
        presets = configuration.placement.presets
        textCharacters = UInt32(configuration.placement.textCharactersMax)
        textBytes = UInt32(configuration.placement.textBytesMax)
        dataBytes = UInt32(configuration.placement.dataBytesMax)
        feedbackCharacters = UInt32(configuration.feedback.charactersMax)
        feedbackCategories = configuration.feedback.categories
    }
}
