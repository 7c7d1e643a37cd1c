internal import CairnText
internal import CairnWebSocket
internal import Foundation

/// The texts of the page in one language, as one JSON object by the folders of the page's modules.
///
/// Each folder has its own texts (`js/FOLDER/texts/LANGUAGE.json`), so that a feature of the page brings them along. A
/// browser asks for all of them at once (`texts/LANGUAGE.json`). Nothing is written down, so an edit is served by the
/// next reload.
struct PageTexts {
    /// Names this state of all parts together.
    let tag: String
    private let parts: [(folder: String, path: String)]

    /// The files of a language. Blocks: on the bulk lane.
    /// - Parameters:
    ///   - name: of the file in each folder, `en.json`.
    ///   - page: the folder of the page.
    /// - Returns: nil when no folder has texts in this language, or all of them together are too large to be served.
    init?(_ name: String, of page: String) {
        var (parts, states, byteCount): ([(String, String)], String, Int) = ([], "", 0)
        for folder in Self.names(in: "\(page)/js") {
            let path = "\(page)/js/\(folder)/texts/\(name)"
            guard PlayFiles.isPlain(folder), let file = OpenFile(path: path) else { continue }
            parts.append((folder, path))
            states += "\(folder) \(file.tag)\n"
            byteCount += file.byteCount
        }
        guard !parts.isEmpty, byteCount <= PlayFiles.bytesMax else { return nil }
        self.parts = parts
        // FNV-1a: it tells the states of one folder apart and proves nothing.
        let hash = states.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        tag = String(hash, radix: 36)
    }

    /// The parts by their folders; nil when one of them has gone meanwhile. Blocks: on the bulk lane.
    var json: [UInt8]? {
        var json: [UInt8] = []
        for (folder, path) in parts {
            guard let texts = FileManager.default.contents(atPath: path) else { return nil }
            json += [UInt8(ascii: json.isEmpty ? "{" : ",")] + "\"\(folder)\":".utf8 + texts
        }
        return json + "}".utf8
    }

    /// The name of the file that each folder has, where a path is that of the texts of a language: `en.json` of
    /// `play/texts/en.json`.
    static func name(of path: String) -> String? {
        let pieces = path.pieces(at: "/", omittingEmptySubsequences: false)
        guard pieces.count == 3, pieces[0] == "play", pieces[1] == "texts", pieces[2].hasSuffix(".json") else {
            return nil
        }
        return String(pieces[2])
    }

    /// Whether a path is that of a part, which is served within the whole alone.
    static func isPart(_ path: String) -> Bool {
        let pieces = path.pieces(at: "/", omittingEmptySubsequences: false)
        return pieces.count == 5 && pieces[0] == "play" && pieces[1] == "js" && pieces[3] == "texts"
    }

    /// The paths of the texts of all languages. Blocks: on the bulk lane.
    /// - Parameter page: the folder of the page.
    static func paths(of page: String) -> [String] {
        let names = names(in: "\(page)/js").flatMap { Self.names(in: "\(page)/js/\($0)/texts") }
        return Set(names).map { "play/texts/\($0)" }.filter { PlayFiles.isPlain($0) && name(of: $0) != nil }
    }

    /// In order, so that equal files are one state.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
