package import CairnCore

/// The metrics of assets.
package struct AssetFigures: Sendable {
    /// Assets that are complete.
    var files = 0
    /// Their bytes in the clear.
    var bytes = 0
    /// Uploads under way.
    var uploads = 0
    /// Uploads whose content is being examined or waits for that.
    var examining = 0
    /// Uploads that were whole and no sound asset.
    var failed: UInt64 = 0
    /// Uploads that were given up to make room for others.
    var gaveWay: UInt64 = 0
    /// Bytes of chunks that were taken.
    var receivedBytes: UInt64 = 0
    /// Uploads and chunks that were refused, by code.
    var refused: [String: UInt64] = [:]
    /// Assets that nothing used any more.
    var collectedAssets: UInt64 = 0
    /// Files that no row named any more.
    var collectedFiles: UInt64 = 0

    fileprivate typealias Row = Metric<AssetFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<AssetFigures>] {
        [
            Row("uploads", in: queues, unit: "uploads", "uploads of assets under way") { .level($0.uploads) }
                .family(.gauge, "cairn.assets.uploads"),
            Row(unit: "uploads", "uploads whose content is being examined or waits for that") { .level($0.examining) }
                .family(.gauge, "cairn.assets.examining"),
            Row(unit: "uploads", "uploads that were whole and no sound asset") { .count($0.failed) }
                .family(.counter, "cairn.assets.failed"),
            Row(unit: "uploads", "uploads that were given up to make room for others") { .count($0.gaveWay) }
                .family(.counter, "cairn.assets.uploads.displaced"),
            Row(unit: "assets", "assets that are stored") { .level($0.files) }.family(.gauge, "cairn.assets.stored"),
            Row(unit: "bytes", "bytes of the assets that are stored") { .level($0.bytes) }
                .family(.gauge, "cairn.assets.stored.size"),
            Row(unit: "bytes", "bytes of assets that were taken") { .count($0.receivedBytes) }
                .family(.counter, "cairn.assets.received"),
            Row(unit: "requests", "uploads and chunks that were refused, by code") { .counts($0.refused) }
                .family(.counter, "cairn.assets.refused", by: "code"),
            Row(unit: "assets", "assets that nothing used and that were deleted") { .count($0.collectedAssets) }
                .family(.counter, "cairn.assets.collected"),
            Row(unit: "files", "files of assets that no row named and that were deleted") { .count($0.collectedFiles) }
                .family(.counter, "cairn.assets.files.collected"),
        ]
    }
}
