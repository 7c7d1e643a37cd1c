package import CairnConfiguration
package import CairnWebSocket
internal import CairnWire

extension LoopOptions {
    package init(_ configuration: Configuration) {
        self.init()
        let connections = configuration.connections
        subprotocols = WireFormat.allCases.map(\.subprotocol)
        echoPath = configuration.debug.echoPath
        tlsCertificatePath = configuration.listen.tlsCertificate
        tlsKeyPath = configuration.listen.tlsKey
        messageBytesMax = connections.messageBytesMax
        messageFragmentsMax = connections.messageFragmentsMax
        messageSecondsMax = connections.messageSecondsMax
        handshakeSecondsMax = connections.handshakeSeconds
        receiveBufferBytes = connections.receiveBufferBytes
        connectionsMax = configuration.listen.connectionsMax
        gatherMilliseconds = configuration.listen.gatherMilliseconds
        inputBytesPerSecond = connections.inputBytesPerSecond
        pingSeconds = connections.pingSeconds
        silenceSeconds = connections.silenceSeconds
        outboxBytesMax = connections.outboxBytesMax
        behindSecondsMax = connections.behindSecondsMax
        silentCloseCode = Closure.silent.code
        slowCloseCode = Closure.slowConsumer.code
        textFraming = TextFraming(
            prefix: String(decoding: ServerItemEncoder.jsonPrefix, as: UTF8.self),
            separator: String(decoding: ServerItemEncoder.jsonJoiner, as: UTF8.self),
            suffix: String(decoding: ServerItemEncoder.jsonSuffix, as: UTF8.self))
    }
}
