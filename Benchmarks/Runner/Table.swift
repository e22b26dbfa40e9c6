extension [Measurement] {
  /// The figures of each case in a row, below their names; two figures of a base beside them.
  func rows(hasBase: Bool) -> [[String]] {
    var rows: [[String]] = []
    var (figures, cases): ([String], [String]) = ([], [])
    for result in self {
      let figure = "\(result.figure) \(result.unit)"
      if !figures.contains(figure) { figures.append(figure) }
      if !cases.contains(result.title) { cases.append(result.title) }
    }
    rows.append([""] + figures.flatMap { hasBase ? [$0, "/ base"] : [$0] })
    for title in cases {
      let row = figures.flatMap { figure -> [String] in
        let result = first { $0.title == title && "\($0.figure) \($0.unit)" == figure }
        let number = result.map { decimal(Interval($0.now).median) } ?? ""
        return hasBase ? [number, result?.ratio?.text ?? ""] : [number]
      }
      rows.append([title] + row)
    }
    return rows
  }
}

extension Measurement {
  /// The case, and its size.
  var title: String { size.map { "\($0) \(self.case)" } ?? self.case }
}

extension Interval {
  /// As in `0.93 (0.91…0.96)`.
  var text: String {
    "\(hundredths(median)) (\(hundredths(low))…\(hundredths(high)))"
  }
}

/// Prints rows with the first column to the left and the others to the right.
func printTable(_ rows: [[String]]) {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  for row in rows {
    let cells = row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + padding : padding + cell
    }
    print("  " + cells.joined(separator: "  "))
  }
}

/// A number with one digit after the point.
func decimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// A number with two digits after the point.
func hundredths(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}
