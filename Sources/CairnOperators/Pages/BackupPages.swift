internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWebSocket
internal import Foundation
internal import Logging

/// The list of backups and their download, for operators (DAT-5). All of it reads the disk and runs on the bulk lane.
struct BackupPages {
    private let folder: BackupFolder?

    /// - Parameter folder: nil = the store makes no backups.
    init(_ folder: BackupFolder?) {
        self.folder = folder
    }

    /// The list of backups, best first.
    func list(_ head: HTTPHead) -> HTTPResponse {
        guard let folder else { return Self.none }
        let line = JSONLine.object { line in
            line.array("backups") { line in
                for backup in folder.backups {
                    guard let file = OpenFile(path: backup.path) else { continue }
                    line.element { line in
                        line.member("name", backup.name)
                        line.member("takenAt", Int(backup.takenAt.milliseconds))
                        line.member("bytes", file.byteCount)
                        line.member("sound", backup.isSound)
                    }
                }
            }
        }
        return HTTPResponse(
            status: 200, contentType: "application/json", headers: ["Cache-Control: no-store"], body: line)
    }

    /// Downloads one backup, whole or in part.
    /// - Parameter name: a name of the list. Any other name gets 404, also one that leads out of the folder.
    func download(_ name: String, _ head: HTTPHead, logger: Logger) -> HTTPResponse {
        guard let folder else { return Self.none }
        guard let backup = folder.backups.first(where: { $0.name == name }), let file = OpenFile(path: backup.path)
        else { return .text(404, "there is no backup of this name; /v1/operator/backups lists them\n") }
        let content = HTTPContent(
            file, contentType: "application/vnd.sqlite3",
            headers: ["Cache-Control: private, no-cache", "Content-Disposition: attachment; filename=\"\(name)\""])
        let response = content.response(to: head)
        // The world leaves the machine, so the log records it.
        logger.notice("an operator downloads a backup", metadata: ["name": "\(name)", "status": "\(response.status)"])
        return response
    }

    private static let none = HTTPResponse.text(404, "there is no folder for backups (backup.directory)\n")
}

extension BackupFolder.Backup {
    /// The file's name in the folder.
    var name: String { String(path.pieces(at: "/").last ?? "") }
}
