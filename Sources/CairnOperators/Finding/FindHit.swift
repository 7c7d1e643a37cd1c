internal import CairnLogging
internal import CairnServer

/// One thing that a search has found.
struct FindHit: Sendable {
    /// `person`, `session`, `organisation`, `cell`, the kind of an instance, or a word of a feature.
    let kind: String
    let id: String
    /// For people: a name, or what there is of it.
    let title: String
    /// Where it is, and in which state; empty = there is nothing to say.
    var place = ""
    /// The command that shows it.
    let show: String

    /// Most hits of one kind.
    static let perKindMax = 20
}

/// Finds things of a feature by an id or by a text. `OperatorFeatures` lists them.
struct Seeker: Sendable {
    /// - Returns: at most `FindHit.perKindMax` hits, and one more if there are more.
    let hits: @Sendable (_ sought: SearchText, _ context: ServerContext) async throws -> [FindHit]
}

extension JSONLine {
    mutating func members(of hit: FindHit) {
        member("kind", hit.kind)
        member("id", hit.id)
        member("title", hit.title)
        member("where", hit.place)
        member("show", hit.show)
    }
}
