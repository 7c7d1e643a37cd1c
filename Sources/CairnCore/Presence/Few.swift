/// A set that is nearly always tiny: then comparing is cheaper than hashing.
struct Few<Element: Hashable & Sendable>: Sendable {
    private let list: [Element]
    private let all: Set<Element>

    private static var listMax: Int { 8 }

    init(_ elements: Set<Element>) { (list, all) = (elements.count > Self.listMax ? [] : Array(elements), elements) }

    var isEmpty: Bool { all.isEmpty }

    func contains(_ element: Element) -> Bool { list.isEmpty ? all.contains(element) : list.contains(element) }
}
