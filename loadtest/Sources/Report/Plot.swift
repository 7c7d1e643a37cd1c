import Foundation

/// A line plot as inline SVG.
struct Plot: Sendable {
    struct Point: Hashable, Sendable {
        let x: Double
        let y: Double
    }

    struct Series: Sendable {
        let name: String
        let points: [Point]
    }

    struct Tick: Hashable, Sendable {
        let label: String
        let at: Double
    }

    struct Axis: Sendable {
        let title: String
        /// Nil = round numbers.
        var ticks: [Tick]?
        /// A logarithmic axis.
        var isLogarithmic = false
    }

    let title: String
    let x: Axis
    let y: Axis
    let series: [Series]

    // The width fits two plots side by side on a page, or one on a telephone: 14 units of type are 11 px at a width of
    // 390.
    private static let size = (width: 440.0, plot: 200.0)
    private static let margins = (left: 56.0, right: 14.0, top: 50.0)
    /// Below the plot: numbers, the name of the axis, and a line for each row of the legend.
    private static let numbers = 18.0
    private static let legendRow = 20.0
    /// Average width of a sans-serif letter, rounded up.
    private static let characterWidth = 8.0
    private static let colours = ["#0969da", "#cf222e", "#8250df", "#1a7f37", "#bf8700", "#57606a", "#bc4c00"]

    /// With more points than this only the line is drawn.
    private static let marksMax = 40

    /// Empty when there is nothing to show.
    var svg: String {
        let points = series.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite }
        guard points.count > 1 else { return "" }
        let xTicks = x.ticks ?? Self.ticks(points.map(\.x), isLogarithmic: x.isLogarithmic)
        let yTicks =
            y.ticks ?? Self.ticks(points.map(\.y) + (y.isLogarithmic ? [] : [0]), isLogarithmic: y.isLogarithmic)
        let xScale = scale(x, xTicks, from: Self.margins.left, to: Self.size.width - Self.margins.right)
        let floor = Self.margins.top + Self.size.plot
        let yScale = scale(y, yTicks, from: floor, to: Self.margins.top)
        let legend = legendPlaces()
        let height = floor + 2 * Self.numbers + Double(legend.rows) * Self.legendRow + 8
        var lines = [
            "<svg viewBox=\"0 0 \(Self.size.width.plain) \(height.plain)\" role=\"img\">",
            "<title>\(ReportPage.escaped(title))</title>",
            text(title, 0, 16, weight: "bold"),
            text(y.title, 0, 36),
        ]
        for tick in yTicks {
            let height = yScale(tick.at)
            lines.append(
                line(Self.margins.left, height, Self.size.width - Self.margins.right, height, "currentColor", 0.15))
            lines.append(text(tick.label, Self.margins.left - 6, height + 4, anchor: "end"))
        }
        for tick in xTicks {
            lines.append(line(xScale(tick.at), floor, xScale(tick.at), floor + 4, "currentColor", 0.6))
        }
        for label in Self.legible(xTicks, at: xScale) {
            lines.append(text(label.text, label.middle, floor + Self.numbers, anchor: "middle"))
        }
        lines.append(line(Self.margins.left, floor, Self.size.width - Self.margins.right, floor, "currentColor", 0.6))
        lines.append(text(x.title, Self.size.width - Self.margins.right, floor + 2 * Self.numbers, anchor: "end"))
        for (index, series) in series.enumerated() where !series.points.isEmpty {
            let colour = Self.colours[index % Self.colours.count]
            let way = series.points.map { "\(number(xScale($0.x))),\(number(yScale($0.y)))" }.joined(separator: " ")
            lines.append(
                "<polyline points=\"\(way)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.8\"/>")
            for point in series.points where series.points.count <= Self.marksMax {
                let place = "cx=\"\(number(xScale(point.x)))\" cy=\"\(number(yScale(point.y)))\""
                lines.append("<circle \(place) r=\"2.5\" fill=\"\(colour)\"/>")
            }
            let place = legend.places[index]
            let row = floor + 2 * Self.numbers + Double(place.row + 1) * Self.legendRow
            lines.append(line(place.x, row - 4, place.x + 18, row - 4, colour, 1, width: 3))
            lines.append(text(series.name, place.x + Self.mark, row))
        }
        return lines.joined(separator: "\n") + "\n</svg>"
    }

    // MARK: Parts

    /// A line of the series' colour and a gap.
    private static let mark = 24.0

    /// The place of each series' name: from left to right, and in the next row when the line is full.
    private func legendPlaces() -> (places: [(x: Double, row: Int)], rows: Int) {
        var (x, row) = (0.0, 0)
        let places = series.map { series in
            let width = Self.mark + Double(series.name.count) * Self.characterWidth
            if x > 0, x + width > Self.size.width {
                x = 0
                row += 1
            }
            defer { x += width + 16 }
            return (x: x, row: row)
        }
        return (places, row + 1)
    }

    /// The labels that fit side by side: the last one, which is the end of the axis, and all others that do not touch a
    /// label before them.
    static func legible(_ ticks: [Tick], at scale: (Double) -> Double) -> [(text: String, middle: Double)] {
        var kept: [(text: String, middle: Double)] = []
        for tick in [ticks.last].compactMap(\.self) + ticks.dropLast() {
            let half = Double(tick.label.count) * characterWidth / 2
            // The label at an end stays within the picture.
            let middle = min(scale(tick.at), size.width - half)
            let isFree = kept.allSatisfy { other in
                abs(other.middle - middle) >= half + Double(other.text.count) * characterWidth / 2 + 4
            }
            if isFree { kept.append((tick.label, middle)) }
        }
        return kept
    }

    private func scale(_ axis: Axis, _ ticks: [Tick], from: Double, to: Double) -> (Double) -> Double {
        func place(_ value: Double) -> Double {
            axis.isLogarithmic ? Logarithm.base10(max(value, .leastNormalMagnitude)) : value
        }
        let least = place(ticks.first?.at ?? 0)
        let span = place(ticks.last?.at ?? 1) - least
        return { value in from + (to - from) * (span == 0 ? 0 : (place(value) - least) / span) }
    }

    /// Round numbers around the values.
    static func ticks(_ values: [Double], isLogarithmic: Bool) -> [Tick] {
        guard let least = values.min(), let most = values.max() else { return [] }
        if isLogarithmic {
            let first = Int(Logarithm.base10(max(least, 1e-6)).rounded(.down))
            let last = max(first + 1, Int(Logarithm.base10(max(most, 1e-6)).rounded(.up)))
            return (first...last).map { Tick(label: label(pow(10, Double($0))), at: pow(10, Double($0))) }
        }
        let rough = max(most - least, 1e-9) / 5
        let power = pow(10, Logarithm.base10(rough).rounded(.down))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? rough
        let first = (least / step).rounded(.down)
        let last = max(first + 1, (most / step).rounded(.up))
        return stride(from: first, through: last, by: 1).map { Tick(label: label($0 * step), at: $0 * step) }
    }

    private static func label(_ value: Double) -> String {
        switch abs(value) {
        case 1e6...: String(format: "%gM", value / 1e6)
        case 1e4...: String(format: "%gk", value / 1e3)
        default: String(format: "%g", value)
        }
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private func text(
        _ text: String, _ x: Double, _ y: Double, anchor: String = "start", weight: String = "normal"
    ) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\">"
            + "\(ReportPage.escaped(text))</text>"
    }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, _ opacity: Double, width: Double = 1
    ) -> String {
        "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" "
            + "stroke=\"\(colour)\" stroke-opacity=\"\(opacity)\" stroke-width=\"\(width)\"/>"
    }
}

/// The C library's function under a descriptive name.
enum Logarithm {
    static func base10(_ value: Double) -> Double { Foundation.log10(value) }
}
