internal import SwiftProtobuf

/// How Cairn reads and writes protobuf's canonical JSON, in both directions.
enum WireJSON {
    /// Unknown fields are ignored: a server must survive a newer client and a client a newer server. SwiftProtobuf
    /// refuses them unless told.
    static let decodingOptions: JSONDecodingOptions = {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        options.messageDepthLimit = ClientEnvelopeDecoder.jsonDepthMax
        return options
    }()

    /// The same, but a name that is not known is an error: to find out that there is one.
    static let strictOptions: JSONDecodingOptions = {
        var options = decodingOptions
        options.ignoreUnknownFields = false
        return options
    }()

    /// Maps in order, so that equal messages are equal bytes.
    static let encodingOptions: JSONEncodingOptions = {
        var options = JSONEncodingOptions()
        options.useDeterministicOrdering = true
        return options
    }()
}
