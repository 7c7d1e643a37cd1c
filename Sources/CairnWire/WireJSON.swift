internal import SwiftProtobuf

/// How Cairn reads and writes protobuf's canonical JSON, in both directions.
enum WireJSON {
    /// Unknown fields are ignored, so that a server works with newer clients and a client with newer servers.
    /// SwiftProtobuf refuses them by default.
    static let decodingOptions: JSONDecodingOptions = {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        options.messageDepthLimit = ClientEnvelopeDecoder.jsonDepthMax
        return options
    }()

    /// The same, but an unknown name is an error: this detects unknown names.
    static let strictOptions: JSONDecodingOptions = {
        var options = decodingOptions
        options.ignoreUnknownFields = false
        return options
    }()

    /// Maps are ordered, so that equal messages give equal bytes.
    static let encodingOptions: JSONEncodingOptions = {
        var options = JSONEncodingOptions()
        options.useDeterministicOrdering = true
        return options
    }()
}
