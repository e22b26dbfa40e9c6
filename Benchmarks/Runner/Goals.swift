/// A goal: the cost of some work as a multiple of its least cost, measured in the same rounds.
struct Goal {
  /// A figure of a case, or a subtracted one.
  struct Term {
    let `case`: String
    let figure: String
    var size: Int?
    var sign = 1.0
  }

  let work: String
  let benchmark: String
  let cost: [Term]
  /// The cost to compare with, or nothing for a goal of the cost itself.
  let floor: [Term]
  let most: Double

  static let all: [Goal] = starts + steps + memory + wholes + expressions

  private static let starts = [
    Goal(
      work: "flow run, one step / a static Swift program", benchmark: "start-up",
      cost: [Term(case: "flow run, one step", figure: "elapsed")],
      floor: [Term(case: "a static Swift program", figure: "elapsed")], most: 1.5)
  ]

  /// All but two beside libyaml's events of a step, which reflects the speed of the machine.
  private static let steps = [
    step("a step, loaded and run", [of("run", "load"), of("run", "run")], most: 3),
    step(
      "a step with two expressions", [of("two expressions", "load"), of("two expressions", "run")],
      most: 8.8),
    step("a call in a loop", [of("loop bare", "run")], most: 0.88),
    step("recorded, beyond a run", [of("record", "run"), less(of("run", "run"))], most: 0.49),
    step("a journal, beyond a run", [of("journal", "run"), less(of("run", "run"))], most: 0.88),
    step("replayed: 500,000 lines a second", [of("replay", "run")], most: 1.4),
    Goal(
      work: "a durable journal / a line and a fdatasync", benchmark: "steps",
      cost: [of("durable", "run", 1_000)], floor: [of("floor", "run", 1_000)], most: 1.2),
    Goal(
      work: "a call by a component / by a step", benchmark: "steps",
      cost: [of("roles run", "run")], floor: [of("run", "run")], most: 1),
    Goal(
      work: "the same with nobody listening", benchmark: "steps",
      cost: [of("roles bare", "run")], floor: [of("bare", "run")], most: 1),
    Goal(
      work: "the same, recorded", benchmark: "steps",
      cost: [of("roles record", "run")], floor: [of("record", "run")], most: 1),
  ]

  private static let memory = [
    Goal(
      work: "100,000 steps, MiB", benchmark: "steps", cost: [of("run", "peak")], floor: [], most: 60
    ),
    Goal(
      work: "with two expressions, MiB", benchmark: "steps", cost: [of("two expressions", "peak")],
      floor: [], most: 120),
    Goal(
      work: "their replay, MiB", benchmark: "steps", cost: [of("replay", "peak")], floor: [],
      most: 70),
    Goal(
      work: "100,000 recorded calls in a replay, MiB", benchmark: "steps",
      cost: [of("loop replay", "peak"), less(of("loop bare", "peak"))], floor: [], most: 10),
  ]

  private static let wholes = [
    Goal(
      work: "flow test of 200 files / cat", benchmark: "suite",
      cost: [Term(case: "scenarios of ten steps, flow test", figure: "elapsed", size: 200)],
      floor: [Term(case: "files, cat", figure: "elapsed", size: 200)], most: 9.2),
    Goal(
      work: "the same with all reports / without", benchmark: "suite",
      cost: [Term(case: "the same with all reports", figure: "elapsed", size: 200)],
      floor: [Term(case: "scenarios of ten steps, flow test", figure: "elapsed", size: 200)],
      most: 1.3),
    Goal(
      work: "calls in two branches / in turn", benchmark: "branches",
      cost: [Term(case: "calls", figure: "at once / in turn")], floor: [], most: 0.6),
  ]

  private static let expressions = Expressions.texts.map { text, _ in
    Goal(
      work: "\(text) / Lua", benchmark: "expressions", cost: [Term(case: text, figure: "evaluate")],
      floor: [Term(case: Expressions.luaCase(of: text), figure: "evaluate")], most: 1.5)
  }

  private static func step(_ work: String, _ cost: [Term], most: Double) -> Goal {
    Goal(
      work: "\(work) / libyaml's events", benchmark: "steps", cost: cost,
      floor: [of("libyaml's events", "load")], most: most)
  }

  private static func of(_ mode: String, _ figure: String, _ size: Int = 100_000) -> Term {
    Term(case: "steps, \(mode)", figure: figure, size: size)
  }

  private static func less(_ term: Term) -> Term {
    var term = term
    term.sign = -1
    return term
  }

  /// The present ratio of each round, or nil if a part of it was not measured.
  func reached(in results: [Measurement]) -> Interval? {
    guard let cost = sum(of: cost, in: results) else { return nil }
    if floor.isEmpty { return Interval(cost) }
    return sum(of: floor, in: results).map { Interval(zip(cost, $0).map { $0 / $1 }) }
  }

  private func sum(of terms: [Term], in results: [Measurement]) -> [Double]? {
    var sum: [Double]?
    for term in terms {
      let found = results.first {
        $0.benchmark == benchmark && $0.case == term.case && $0.figure == term.figure
          && $0.size == term.size
      }
      guard let samples = found?.now.map({ $0 * term.sign }) else { return nil }
      sum = sum.map { zip($0, samples).map { $0 + $1 } } ?? samples
    }
    return sum
  }
}

extension [Measurement] {
  /// The measurements beside their goals, a row each.
  var goalRows: [[String]] {
    let rows = Goal.all.compactMap { goal in
      goal.reached(in: self).map { now in
        [goal.work, now.text, hundredths(goal.most), now.median <= goal.most ? "reached" : ""]
      }
    }
    return rows.isEmpty ? [] : [["", "now", "at most", ""]] + rows
  }
}
