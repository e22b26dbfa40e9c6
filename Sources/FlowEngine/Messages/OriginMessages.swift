internal import FlowCore
package import FlowPlan

// The only words for the origin of a value: all reports and the debugger print them.

extension [OperandText] {
  /// `total is 25.00, set at line 11 from steps.a.json.price (12.50) at line 8`, then a line for
  /// each value behind it that has an origin of its own, indented.
  ///
  /// Each origin is told once. A place in another file than the given one has its name.
  package func notes(in file: String) -> [String] {
    var lines = OriginLines(in: file)
    return flatMap { operand in
      let told = lines.tell(operand)
      return [operand.message + (told.first.map { ", \($0)" } ?? "")]
        + told.dropFirst().map { "  " + $0 }
    }
  }

  /// The lines about the origins of each, without indentation.
  package func originLines(in file: String) -> [[String]] {
    var lines = OriginLines(in: file)
    return map { lines.tell($0) }
  }
}

extension [Mismatch] {
  /// The differences in words, each with the origins of its expected value.
  func notes(in file: String) -> [String] {
    var lines = OriginLines(in: file)
    return flatMap { mismatch in
      mismatch.notes { operand in
        let told = lines.tell(operand)
        return [operand.message + (told.first.map { ", \($0)" } ?? "")]
          + told.dropFirst().map { "  " + $0 }
      }
    }
  }
}

extension ValueOrigin {
  /// `total (25.00), set at line 11 from steps.a.json.price (12.50) at line 8`, then a line for each
  /// value behind it that has an origin of its own, indented.
  package func lines(in file: String) -> [String] {
    var lines = OriginLines(in: file)
    return [lines.line(of: self)] + lines.untold(sources).map { "  " + $0 }
  }
}

/// The lines about origins, for a reader of one file.
private struct OriginLines {
  /// The most lines below the first one, and the most characters of a value.
  private static let (mostLines, longestValue) = (8, 80)

  private let file: String
  private var told: Set<ValueOrigin> = []

  init(in file: String) { self.file = file }

  /// Returns the origin of an operand without its name and value, then the lines of the values
  /// behind it.
  ///
  /// Empty if there is nothing new to tell.
  mutating func tell(_ operand: OperandText) -> [String] {
    let origins = operand.origins.filter { $0.kind != .other && !told.contains($0) }
    if origins.isEmpty { return [] }
    if origins.count == 1, origins[0].text == operand.text {
      told.insert(origins[0])
      return [String(clause(of: origins[0]).dropFirst(2))] + untold(origins[0].sources)
    }
    return ["from \(list(origins))"] + untold(origins)
  }

  /// Returns the lines of those origins that have more to say than a place, and of all behind them,
  /// the nearest ones first.
  mutating func untold(_ origins: [ValueOrigin]) -> [String] {
    var lines: [String] = []
    var waiting = origins
    while !waiting.isEmpty {
      for origin in waiting where told.insert(origin).inserted && origin.isStep {
        if lines.count == Self.mostLines { return lines + ["…"] }
        lines.append(line(of: origin))
      }
      waiting = waiting.flatMap(\.sources)
    }
    return lines
  }

  func line(of origin: ValueOrigin) -> String { name(of: origin) + clause(of: origin) }

  /// `, set at line 11 from a (1), b (2) and steps.a.price (12.50) at line 8`.
  func clause(of origin: ValueOrigin) -> String {
    let from = origin.sources.isEmpty ? "" : " from \(list(origin.sources))"
    return switch origin.kind {
    case .other: from
    case .answer: ", from" + place(of: origin).dropFirst(" at".count)
    case .set: ", set" + place(of: origin) + from
    case .element(let number): ", element \(number)" + place(of: origin) + from
    case .given: ", given" + place(of: origin) + from
    case .output: ", output" + place(of: origin) + from
    }
  }

  /// The names and values of origins, with places for those without a line of their own.
  func list(_ origins: [ValueOrigin]) -> String {
    let names = origins.map { origin in
      name(of: origin) + (origin.kind == .answer ? place(of: origin) : "")
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  private func name(of origin: ValueOrigin) -> String {
    origin.text.onOneLine + (origin.value.map { " (\($0.shortened(to: Self.longestValue)))" } ?? "")
  }

  /// ` at line 8 of parts/price.yaml in iteration 3`.
  private func place(of origin: ValueOrigin) -> String {
    let line = origin.place.map { place in
      let other = place.file == file ? "" : " of \(place.file.escaped)"
      return " at line \(place.start.line)\(other)"
    }
    let numbers = origin.iterations.map(String.init).joined(separator: ".")
    return (line ?? "") + (numbers.isEmpty ? "" : " in iteration \(numbers)")
  }
}

extension ValueOrigin {
  /// True if its line says more than the name and the value.
  var isWorthALine: Bool { isStep || kind == .answer }

  /// True if it is more than an answer, a value from outside, and an element of a written list.
  fileprivate var isStep: Bool {
    switch kind {
    case .other, .answer: false
    case .element: !sources.isEmpty
    case .set, .given, .output: true
    }
  }
}
