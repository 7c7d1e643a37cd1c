internal import CEmbedded

/// Files that are in the program itself, so that a program that is copied alone has them. Which there are is in
/// `scripts/generate-embedded`.
package enum EmbeddedFiles {
    package enum Folder: String {
        /// Pages that links in mails lead to, and the page of help.
        case account
        /// The console's pages, scripts and styles.
        case console
        /// The sample tour of `cairn serve --demo`.
        case demo
        case help
        /// The pages that links of tours lead to.
        case links
        /// What comes with `cairn-crowd`.
        case scenarios
        /// Texts that the server writes itself, a file for each language.
        case texts
    }

    /// The files of a folder, sorted by their names.
    package static func all(in folder: Folder) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        var number: Int64 = 0
        while let file = cembedded_file(number)?.pointee {
            if String(cString: file.folder) == folder.rawValue {
                let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: Int(file.count)))
                files.append((String(cString: file.name), bytes))
            }
            number += 1
        }
        return files
    }

    /// The bytes of a file.
    /// - Precondition: the file is in the program.
    package static func bytes(of name: String, in folder: Folder) -> [UInt8] {
        guard let file = all(in: folder).first(where: { $0.name == name }) else {
            preconditionFailure("\(name) of \(folder) is not in the program (scripts/generate-embedded)")
        }
        return file.bytes
    }
}
