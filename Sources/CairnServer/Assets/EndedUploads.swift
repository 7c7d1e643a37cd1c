/// The uploads that ended last, which is as long as a request may look at the row of one.
struct EndedUploads {
    private var ids: Set<UploadID> = []
    /// In their order, once there are `countMax` of them from `oldest` on.
    private var order: [UploadID] = []
    private var oldest = 0

    /// More than there are requests at one time.
    static let countMax = 4_096

    func contains(_ id: UploadID) -> Bool { ids.contains(id) }

    mutating func insert(_ id: UploadID) {
        guard ids.insert(id).inserted else { return }
        guard order.count == Self.countMax else { return order.append(id) }
        ids.remove(order[oldest])
        order[oldest] = id
        oldest = (oldest + 1) % Self.countMax
    }
}
