import Foundation

/// Whether two samples are of one distribution: the two-sample test of Kolmogorov and Smirnov.
struct KolmogorovSmirnov {
    /// The greatest distance of the two empirical distribution functions.
    let distance: Double
    /// The probability of such a distance, or a greater one, between samples of one distribution: asymptotic, with
    /// Stephens' correction (Press et al., "Numerical Recipes", 14.3).
    let pValue: Double

    init(_ one: [Double], _ other: [Double]) {
        let (one, other) = (one.sorted(), other.sorted())
        var (first, second, distance) = (0, 0, 0.0)
        while first < one.count, second < other.count {
            let value = min(one[first], other[second])
            while first < one.count, one[first] <= value { first += 1 }
            while second < other.count, other[second] <= value { second += 1 }
            distance = max(
                distance, abs(Double(first) / Double(one.count) - Double(second) / Double(other.count)))
        }
        let size = (Double(one.count * other.count) / Double(one.count + other.count)).squareRoot()
        let scaled = (size + 0.12 + 0.11 / size) * distance
        let terms = (1...100).map { term -> Double in
            let sign: Double = term.isMultiple(of: 2) ? -2 : 2
            return sign * exp(-2 * Double(term * term) * scaled * scaled)
        }
        self.distance = distance
        pValue = scaled < 0.2 ? 1 : min(max(terms.reduce(0, +), 0), 1)
    }
}

extension [Double] {
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
