/// A type of content that may be uploaded (OBJ-12). The first bytes say the type, never a name or a header.
public struct AssetType: Hashable, Sendable {
    /// As it is sent in `Content-Type`.
    public let contentType: String
    /// Of the name under which a browser saves it, without a dot.
    public let fileExtension: String
    private let form: Form

    /// Which code recognises, examines and cleans the content.
    private enum Form: Hashable, Sendable {
        case png, jpeg, mp3, opus, aac, json

        func recognises(_ content: some Collection<UInt8>) -> Bool {
            switch self {
            case .png: content.starts(with: PNGPicture.mark)
            case .jpeg: content.starts(with: JPEGPicture.mark)
            case .mp3: MPEGAudio.recognises(content)
            case .opus: content.starts(with: OggOpus.mark)
            case .aac: MPEG4Audio.recognises(content)
            case .json: JSONText.recognises(content)
            }
        }
    }

    /// PNG, ISO/IEC 15948.
    public static let png = AssetType(
        contentType: "image/png", fileExtension: "png", form: .png)
    /// JPEG, ISO/IEC 10918-1: baseline, extended and progressive, 8 bits, Huffman coding.
    public static let jpeg = AssetType(
        contentType: "image/jpeg", fileExtension: "jpg", form: .jpeg)
    /// MP3, ISO/IEC 11172-3 and 13818-3, layer III (TRM-5).
    public static let mp3 = AssetType(contentType: "audio/mpeg", fileExtension: "mp3", form: .mp3)
    /// Opus in Ogg, RFC 7845 (TRM-5).
    public static let opus = AssetType(contentType: "audio/ogg", fileExtension: "opus", form: .opus)
    /// AAC in MP4, ISO/IEC 14496-3 and -14 (TRM-5).
    public static let aac = AssetType(contentType: "audio/mp4", fileExtension: "m4a", form: .aac)

    /// GeoJSON, RFC 7946: a tour that is larger than a message (TRM-3, TRM-4).
    public static let geoJSON = AssetType(
        contentType: "application/geo+json", fileExtension: "geojson", form: .json)

    /// All types. A capability that takes another type adds a line and its form.
    public static let all = [png, jpeg, opus, aac, mp3, geoJSON]

    /// Whether it is something to look at.
    public var isPicture: Bool { self == .png || self == .jpeg }

    /// The type of a content by its first bytes; nil = none of these.
    public init?(of content: some Collection<UInt8>) {
        guard let type = Self.all.first(where: { $0.form.recognises(content) }) else { return nil }
        self = type
    }

    /// The type with this name; nil = none of these.
    public init?(contentType: String) {
        guard let type = Self.all.first(where: { $0.contentType == contentType }) else { return nil }
        self = type
    }

    private init(contentType: String, fileExtension: String, form: Form) {
        self.contentType = contentType
        self.fileExtension = fileExtension
        self.form = form
    }

    fileprivate func cleaned(_ bytes: [UInt8], within bounds: AssetBounds) throws(AssetFault) -> [UInt8] {
        switch form {
        case .png: try PNGPicture.cleaned(bytes, within: bounds)
        case .jpeg: try JPEGPicture.cleaned(bytes, within: bounds)
        case .mp3: try MPEGAudio.cleaned(bytes)
        case .opus: try OggOpus.cleaned(bytes)
        case .aac: try MPEG4Audio.cleaned(bytes)
        case .json: try JSONText.cleaned(bytes)
        }
    }
}

/// What a content may ask of programs that show it.
public struct AssetBounds: Hashable, Sendable {
    /// Most pixels of a picture.
    public var pixelsMax: Int
    /// Most pixels of one side. Browsers and graphics hardware show no larger pictures.
    public static let sideMax = 16_384

    public init(pixelsMax: Int) {
        self.pixelsMax = pixelsMax
    }

    func admit(width: Int, height: Int) throws(AssetFault) {
        guard width > 0, height > 0 else { throw .damaged("a side has no pixels") }
        guard width <= Self.sideMax, height <= Self.sideMax, width * height <= pixelsMax else {
            throw .tooManyPixels(width: width, height: height)
        }
    }
}

/// Why a content is not accepted.
public enum AssetFault: Error, Hashable, Sendable {
    /// The first bytes are those of no type that is taken.
    case unknownType
    /// It is not what its first bytes say. The cause is for people.
    case damaged(String)
    case tooManyPixels(width: Int, height: Int)
}

/// A content without what tells of a place, a device or a person: what is stored and given to others (CMP-5).
public struct CleanAsset: Hashable, Sendable {
    public let type: AssetType
    public let bytes: [UInt8]

    /// Examines a whole content and copies of it only what shows the picture or sounds, or the text.
    ///
    /// Time is in proportion to the bytes of the content: `JPEGTurn` says how much a byte may cost, and a PNG inflates
    /// to a thousand times its bytes at most, and to what `bounds` admits. Memory is about twice the content. To that
    /// come at most 96 MiB for a JPEG that is turned, and some dozens of bytes for each sample of AAC, of which there
    /// are no more than bytes. Blocks the thread meanwhile.
    public init(_ content: [UInt8], within bounds: AssetBounds) throws(AssetFault) {
        guard let type = AssetType(of: content) else { throw .unknownType }
        self.type = type
        bytes = try type.cleaned(content, within: bounds)
    }
}
