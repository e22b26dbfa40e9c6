/// The two programs of one build.
struct Program {
  let folder: String

  /// The programs built with this one.
  static let present = Program(
    folder: CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/"))

  /// The benchmarks.
  var benchmarks: String { folder + "/flow-benchmarks" }
  /// The command line.
  var flow: String { folder + "/flow" }
}

/// A measurement of one program at a time, with one number or more.
struct Case {
  /// One of its numbers.
  struct Figure {
    let name: String
    let unit: String

    init(_ name: String, _ unit: String) {
      self.name = name
      self.unit = unit
    }
  }

  let name: String
  /// The size of the input, such as the number of steps, or nil if it does not change.
  var size: Int?
  let figures: [Figure]
  /// True for a floor or another program, which is the same in every build.
  var isReference = false
  /// Measures once, with one number for each figure.
  let sample: (Program) throws -> [Double]
}

/// Cases that belong together, and are measured in turns: a slow moment of the machine meets them all.
struct Benchmark: Sendable {
  let name: String
  let rounds: Int
  let cases: @Sendable () throws -> [Case]

  /// Measures every case, without numbers of a build that cannot measure it.
  func measured(_ options: Options) throws -> [Measurement] {
    let cases = try cases()
    var now = cases.map { _ in [[Double]]() }
    var base = now
    for round in 0..<(options.rounds ?? rounds) {
      for (index, one) in cases.enumerated() {
        let measureNow = { now[index].append(try one.sample(.present)) }
        let measureBase = {
          guard let program = options.base, !one.isReference else { return }
          if let numbers = try? one.sample(program) { base[index].append(numbers) }
        }
        // Whichever comes first warms up the machine for the other.
        for measure in round.isMultiple(of: 2)
          ? [measureBase, measureNow] : [measureNow, measureBase]
        {
          try measure()
        }
      }
    }
    return cases.enumerated().flatMap { index, one in
      one.figures.enumerated().map { figure, description in
        Measurement(
          benchmark: name, case: one.name, size: one.size, figure: description.name,
          unit: description.unit, isReference: one.isReference,
          now: now[index].map { $0[figure] }, base: base[index].map { $0[figure] })
      }
    }
  }
}

/// All samples of one figure.
struct Measurement: Encodable {
  let benchmark: String
  let `case`: String
  let size: Int?
  let figure: String
  let unit: String
  let isReference: Bool
  /// In the order of the rounds.
  let now: [Double]
  /// The numbers of the other build, if it can measure the case.
  let base: [Double]

  /// The ratio to the other build, below 1 for less, or nil if that was not measured.
  var ratio: Interval? {
    guard !base.isEmpty, base.count == now.count, base.allSatisfy({ $0 > 0 }) else { return nil }
    return Interval(zip(now, base).map { $0 / $1 })
  }

  private enum CodingKeys: String, CodingKey {
    case benchmark, `case`, size, figure, unit, now, base, median, ratio
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(benchmark, forKey: .benchmark)
    try container.encode(self.case, forKey: .case)
    try container.encodeIfPresent(size, forKey: .size)
    try container.encode(figure, forKey: .figure)
    try container.encode(unit, forKey: .unit)
    try container.encode(now, forKey: .now)
    try container.encode(Interval(now).median, forKey: .median)
    if !base.isEmpty { try container.encode(base, forKey: .base) }
    try container.encodeIfPresent(ratio, forKey: .ratio)
  }
}
