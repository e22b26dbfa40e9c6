/// A picture of the cost by the size of the input, both on logarithmic axes.
struct Plot {
  /// The file's name, without its ending.
  let name: String
  private let title: String
  private let unit: String
  private let lines: [Line]

  private struct Line {
    let name: String
    let isReference: Bool
    let points: [(size: Double, cost: Double)]
  }

  private static let (width, height) = (760.0, 400.0)
  private static let (left, right, top, bottom) = (64.0, 220.0, 40.0, 48.0)
  private static let colors = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#80ba5a",
  ]

  /// A plot of each figure with measurements of three sizes or more.
  static func all(of results: [Measurement]) -> [Plot] {
    var plots: [Plot] = []
    for result in results where !plots.contains(where: { $0.name == result.plotName }) {
      let same = results.filter { $0.plotName == result.plotName }
      let lines = same.map(\.case).uniqued.map { name in
        Line(
          name: name, isReference: same.contains { $0.case == name && $0.isReference },
          points: same.filter { $0.case == name }.compactMap(\.point))
      }.filter { $0.points.count >= 3 }
      if lines.isEmpty { continue }
      plots.append(
        Plot(
          name: result.plotName, title: "\(result.benchmark): \(result.figure)",
          unit: result.unit, lines: lines))
    }
    return plots
  }

  /// The picture as an SVG document.
  var svg: String {
    let points = lines.flatMap(\.points)
    let x = Axis(points.map(\.size), from: Self.left, to: Self.width - Self.right)
    let y = Axis(points.map(\.cost), from: Self.height - Self.bottom, to: Self.top)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" \
      font-family="sans-serif" font-size="12">
      <style>text{fill:#222}.g{stroke:#8884}svg{background:#fff}\
      @media(prefers-color-scheme:dark){text{fill:#ddd}svg{background:#161616}}</style>
      <text x="\(Int(Self.left))" y="22" font-size="14">\(title), \(unit)</text>
      \(grid(x, y).joined(separator: "\n"))
      \(lines.enumerated().map { picture($0.element, $0.offset, x, y) }.joined(separator: "\n"))
      </svg>

      """
  }

  private func grid(_ x: Axis, _ y: Axis) -> [String] {
    let (low, high) = (Self.height - Self.bottom, Self.width - Self.right)
    return x.ticks.map { tick in
      let at = decimal(x.place(tick))
      return #"<path class="g" d="M\#(at) \#(decimal(Self.top))V\#(decimal(low))"/>"#
        + #"<text x="\#(at)" y="\#(decimal(low + 18))" text-anchor="middle">\#(label(tick))</text>"#
    }
      + y.ticks.map { tick in
        let at = decimal(y.place(tick))
        return #"<path class="g" d="M\#(decimal(Self.left)) \#(at)H\#(decimal(high))"/>"#
          + #"<text x="\#(decimal(Self.left - 6))" y="\#(at)" dy="4" text-anchor="end">\#(label(tick))</text>"#
      }
  }

  private func picture(_ line: Line, _ number: Int, _ x: Axis, _ y: Axis) -> String {
    let color = Self.colors[number % Self.colors.count]
    let path = line.points.map { "\(decimal(x.place($0.size))),\(decimal(y.place($0.cost)))" }
    // Where the colours come again, the lines are dotted.
    let isAgain = number >= Self.colors.count
    let pattern = line.isReference ? "5 4" : isAgain ? "1 2" : nil
    let dashes = pattern.map { #" stroke-dasharray="\#($0)""# } ?? ""
    let row = decimal(Self.top + 10 + 18 * Double(number))
    let (begin, end) = (
      decimal(Self.width - Self.right + 12), decimal(Self.width - Self.right + 34)
    )
    let stroke = #"fill="none" stroke="\#(color)" stroke-width="2"\#(dashes)"#
    return #"<polyline points="\#(path.joined(separator: " "))" \#(stroke)/>"#
      + #"<path d="M\#(begin) \#(row)H\#(end)" \#(stroke)/>"#
      + #"<text x="\#(decimal(Self.width - Self.right + 40))" y="\#(row)" dy="4">\#(line.name)</text>"#
  }

  /// A power of ten, in digits.
  private func label(_ value: Double) -> String {
    value >= 1 ? "\(Int(value.rounded()))" : "\(value)"
  }
}

/// Positions of values on a logarithmic axis.
private struct Axis {
  /// The marked powers of ten, with all values between the first and the last.
  let ticks: [Double]
  private let from: Double
  private let to: Double

  init(_ values: [Double], from: Double, to: Double) {
    (self.from, self.to) = (from, to)
    var tick = 1.0
    let (least, most) = (values.min() ?? 1, values.max() ?? 1)
    while tick > least { tick /= 10 }
    while tick * 10 <= least { tick *= 10 }
    var ticks = [tick]
    while tick < most || ticks.count < 2 {
      tick *= 10
      ticks.append(tick)
    }
    self.ticks = ticks
  }

  func place(_ value: Double) -> Double {
    let steps = Double(ticks.count - 1)
    return from + (to - from) * logarithm(value / ticks[0]) / steps
  }

  /// To the base of ten, by halving the interval: nothing else here needs a library.
  private func logarithm(_ value: Double) -> Double {
    var (rest, result, step) = (value, 0.0, 1.0)
    while rest >= 10 {
      rest /= 10
      result += 1
    }
    for _ in 0..<20 {
      rest *= rest
      step /= 2
      if rest >= 10 {
        rest /= 10
        result += step
      }
    }
    return result
  }
}

extension Measurement {
  /// The name of its picture.
  fileprivate var plotName: String {
    "\(benchmark)-\(figure)-\(unit)".map { $0.isLetter && $0.isASCII ? "\($0)" : "-" }.joined()
  }

  /// The point on both axes, or nil without a size or for zero, which has no logarithm.
  fileprivate var point: (size: Double, cost: Double)? {
    let cost = Interval(now).median
    guard let size, cost > 0 else { return nil }
    return (Double(size), cost)
  }
}

extension [String] {
  /// Each once, in their order.
  fileprivate var uniqued: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
