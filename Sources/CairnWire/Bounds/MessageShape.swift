internal import CairnText

/// What a client may send in one type of message: the bounds of its fields, from the schema
/// (proto/cairn/v1/bounds.proto).
struct MessageShape: Sendable {
    /// By the number of the field; nil = nothing bounds it: a single number, or a field of a newer client.
    private let fields: [FieldShape?]

    init(_ fields: [UInt32: FieldShape]) {
        let last = fields.keys.max() ?? 0
        self.fields = (0...last).map { fields[$0] }
    }

    subscript(number: UInt32) -> FieldShape? {
        Int(number) < fields.count ? fields[Int(number)] : nil
    }
}

/// The bound of one field.
struct FieldShape: Sendable {
    enum Kind { case text, bytes, numbers, message }

    let kind: Kind
    /// In JSON.
    let name: StaticString
    /// Most bytes; of a message, its place in `MessageShape.all`.
    let most: Int
    /// Most elements of a list; 0 = it is no list.
    let count: Int

    private init(_ kind: Kind, _ name: StaticString, _ most: Int, _ count: Int) {
        (self.kind, self.name, self.most, self.count) = (kind, name, most, count)
    }

    static func text(_ name: StaticString, _ bytes: Int, count: Int = 0) -> Self { Self(.text, name, bytes, count) }
    static func bytes(_ name: StaticString, _ bytes: Int, count: Int = 0) -> Self { Self(.bytes, name, bytes, count) }
    static func numbers(_ name: StaticString, _ bytes: Int, count: Int) -> Self { Self(.numbers, name, bytes, count) }
    static func message(_ name: StaticString, _ place: Int, count: Int = 0) -> Self {
        Self(.message, name, place, count)
    }
}

/// A field that has more in it than the schema allows.
struct OversizedField: Error, Equatable {
    enum Excess: Equatable {
        case bytes(Int), elements(Int), marks
    }

    /// Names from the body down, in JSON, for instance `["pose", "anchor", "id"]`.
    let path: [String]
    let excess: Excess

    var refusal: Refusal {
        let field = path.joined(separator: ".")
        let (limit, what) =
            switch excess {
            case .bytes(let most): (most, "bytes")
            case .elements(let most): (most, "elements")
            case .marks: (StreamSafe.marksMax, "marks in a row (UAX #15, section 13)")
            }
        return Refusal(
            .invalidField, Refusal.Text(english: "The field \(field) has more than \(limit) \(what)."),
            component: "wire", details: ["field": field, "limit": "\(limit)"])
    }

    fileprivate func inside(_ name: StaticString) -> Self {
        Self(path: [name.description] + path, excess: excess)
    }
}

extension MessageShape {
    /// Looks whether a body keeps to the bounds of the schema, before any of its texts is read. Takes time in
    /// proportion to the bytes. What is not protobuf passes: its decoding fails.
    /// - Parameters:
    ///   - body: the number of the body in `ClientMessage`; an unknown one has no bounds and is refused later.
    ///   - bytes: the body, in protobuf.
    static func check(_ body: UInt32, _ bytes: UnsafeRawBufferPointer) throws(OversizedField) {
        guard let place = bodies[body] else { return }
        try all[place].look(at: bytes)
    }

    fileprivate func look(at bytes: UnsafeRawBufferPointer) throws(OversizedField) {
        var cursor = BinaryCursor(bytes)
        var counts: [Int] = []
        // Fields with one message each. The schema has no number above 63 for them; one that had is not looked at.
        var single: UInt64 = 0
        while !cursor.isAtEnd {
            guard let tag = try? cursor.readTag() else { return }
            guard let field = self[tag.field] else {
                guard (try? cursor.skip(tag)) != nil else { return }
                continue
            }
            // Protobuf merges messages that come again, and appends their lists: each of them kept to its bound.
            if field.count == 0 && field.kind == .message && tag.field < 64 {
                guard single & 1 << tag.field == 0 else { throw field.excess(1) }
                single |= 1 << tag.field
            }
            guard tag.type == .lengthDelimited else {
                try Self.count(1, of: field, at: tag.field, in: &counts, among: fields.count)
                guard (try? cursor.skip(tag)) != nil else { return }
                continue
            }
            guard let range = try? cursor.readLengthDelimited() else { return }
            try Self.count(
                field.elements(inBytes: range.count), of: field, at: tag.field, in: &counts, among: fields.count)
            try field.look(at: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Counts elements of a list, which may come in several pieces.
    private static func count(
        _ elements: Int, of field: FieldShape, at number: UInt32, in counts: inout [Int], among fields: Int
    ) throws(OversizedField) {
        guard field.count > 0 else { return }
        if counts.isEmpty { counts = [Int](repeating: 0, count: fields) }
        counts[Int(number)] += elements
        guard counts[Int(number)] <= field.count else { throw field.excess(field.count) }
    }
}

extension FieldShape {
    /// How many elements of the list are in so many bytes; of packed numbers at least so many as their longest form
    /// says.
    fileprivate func elements(inBytes bytes: Int) -> Int {
        guard kind == .numbers else { return 1 }
        let longest = max(most / max(count, 1), 1)
        return (bytes + longest - 1) / longest
    }

    fileprivate func excess(_ elements: Int) -> OversizedField {
        OversizedField(path: [name.description], excess: .elements(elements))
    }

    fileprivate func look(at bytes: UnsafeRawBufferPointer) throws(OversizedField) {
        if kind == .message {
            do throws(OversizedField) {
                try MessageShape.all[most].look(at: bytes)
            } catch {
                throw error.inside(name)
            }
            return
        }
        guard bytes.count <= most else {
            throw OversizedField(
                path: [name.description], excess: kind == .numbers ? .elements(count) : .bytes(most))
        }
        guard kind != .text || StreamSafe.holds(bytes) else {
            throw OversizedField(path: [name.description], excess: .marks)
        }
    }
}
