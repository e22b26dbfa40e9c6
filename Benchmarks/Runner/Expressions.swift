import FlowCore
import FlowExpression

/// Expressions of ordinary length: compiling them, and evaluating them.
enum Expressions {
  static let benchmark = Benchmark(name: "expressions", rounds: 5) {
    texts.map { text in
      Case(name: text, figures: [.init("compile", "µs"), .init("evaluate", "ns")]) {
        try ChildProcess.numbers([$0.benchmarks, Child.expression.rawValue, text], count: 2).numbers
      }
    }
  }

  private static let repetitions = 20_000

  private static let texts = [
    "inputs.amount > 10 && loop.last",
    "steps.load.balance - inputs.price",
    "steps.load.balance - 12.50 == 87.50",
    "steps.page.items.size() == 20",
    "steps.load.title.startsWith('Ba')",
    "steps.page.items.all(i, i > 0)",
    "loop.index * 20 + 1",
    "steps.load.title.matches('^B.*n$')",
  ]

  /// What the child process does: prints microseconds to compile and nanoseconds to evaluate.
  static func measure(_ text: String) throws {
    let expression = try Expression(text, in: environment)
    let compile = try measured { _ = try Expression(text, in: environment) }
    let evaluate = try measured { _ = try expression.evaluate(activation) }
    print(compile / 1_000, evaluate)
  }

  /// Nanoseconds of one call.
  private static func measured(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure { for _ in 0..<repetitions { try body() } }
    return time / .nanoseconds(1) / Double(repetitions)
  }

  private static let record = RecordType([
    RecordType.Field(name: "balance", type: .decimal, summary: "", defaultValue: nil),
    RecordType.Field(name: "title", type: .string, summary: "", defaultValue: nil),
  ])

  private static let page = RecordType([
    RecordType.Field(name: "items", type: .list(.int), summary: "", defaultValue: nil)
  ])

  private static let environment: Environment = {
    var environment = Environment()
    let variables: [(String, ValueType)] = [
      ("inputs.amount", .int), ("inputs.price", .decimal), ("loop.last", .bool),
      ("loop.index", .int), ("steps.load", .record(record)), ("steps.page", .record(page)),
    ]
    for (index, (name, type)) in variables.enumerated() {
      environment.declare(name, type: type, slot: Slot(level: 0, index: index))
    }
    return environment
  }()

  private static let activation: Activation = {
    let price = Decimal(significand: 1_250, scale: 2)
    let balance = Decimal(significand: 10_000, scale: 2)
    return Activation(levels: [
      [
        .int(12), .decimal(price), .bool(true), .int(3),
        .record(RecordValue(record, [.decimal(balance), .string("Barn")])),
        .record(RecordValue(page, [.list((1...20).map(Value.int))])),
      ]
    ])
  }()
}
