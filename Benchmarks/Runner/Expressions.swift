import FlowCore
import FlowExpression
import Foundation

/// Compiling and evaluating expressions of ordinary length, beside Lua if it is installed.
enum Expressions {
  static let benchmark = Benchmark(name: "expressions", rounds: 5) {
    texts.flatMap { text, lua in
      let ours = Case(name: text, figures: [.init("compile", "µs"), .init("evaluate", "ns")]) {
        try ChildProcess.numbers([$0.benchmarks, Child.expression.rawValue, text], count: 2).numbers
      }
      return FileManager.default.isExecutableFile(atPath: luaPath)
        ? [ours, inLua(text, lua)] : [ours]
    }
  }

  private static let luaPath = "/usr/bin/lua5.4"

  static func luaCase(of text: String) -> String { "\(text), Lua" }

  /// Lua's evaluation of the same: a function compiled once, with the variables in its environment.
  private static func inLua(_ text: String, _ lua: String) -> Case {
    let script = """
      local items = {}
      for i = 1, 20 do items[i] = i end
      local variables = {
        inputs = {amount = 12, price = 12.50}, loop = {last = true, index = 3}, ipairs = ipairs,
        steps = {load = {balance = 100.00, title = 'Barn'}, page = {items = items}}}
      local evaluate = assert(load("return \(lua)", "text", "t", variables))
      local start = os.clock()
      for _ = 1, 1000000 do evaluate() end
      print((os.clock() - start) * 1000)
      """
    let name = luaCase(of: text)
    return Case(name: name, figures: [.init("evaluate", "ns")], isReference: true) { _ in
      try ChildProcess.numbers([luaPath, "-e", script], count: 1).numbers
    }
  }

  private static let repetitions = 20_000

  /// Each as flow has it, and as Lua has it.
  static let texts = [
    ("inputs.amount > 10 && loop.last", "inputs.amount > 10 and loop.last"),
    ("steps.load.balance - inputs.price", "steps.load.balance - inputs.price"),
    ("steps.load.balance - 12.50 == 87.50", "steps.load.balance - 12.50 == 87.50"),
    ("steps.page.items.size() == 20", "#steps.page.items == 20"),
    ("steps.load.title.startsWith('Ba')", "steps.load.title:sub(1, 2) == 'Ba'"),
    (
      "steps.page.items.all(i, i > 0)",
      "(function() for _, i in ipairs(steps.page.items) do if i <= 0 then return false end end return true end)()"
    ),
    ("loop.index * 20 + 1", "loop.index * 20 + 1"),
    ("steps.load.title.matches('^B.*n$')", "steps.load.title:match('^B.*n$') ~= nil"),
  ]

  /// Prints the microseconds to compile and the nanoseconds to evaluate, in the child process.
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
    let price = FlowCore.Decimal(significand: 1_250, scale: 2)
    let balance = FlowCore.Decimal(significand: 10_000, scale: 2)
    return Activation(levels: [
      [
        .int(12), .decimal(price), .bool(true), .int(3),
        .record(RecordValue(record, [.decimal(balance), .string("Barn")])),
        .record(RecordValue(page, [.list((1...20).map(Value.int))])),
      ]
    ])
  }()
}
