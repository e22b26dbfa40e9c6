import FlowCore
import FlowSchema

// Validates for `Benchmarks/Schemas/compare`: each line of the input is a JSON object with a schema and
// values, and each line of the output has the verdicts on its values, or the reason why there are none.
// An object with the path of a file and a number of rounds is timed instead.

/// One line of the input.
struct Job {
  let schema: Value
  let values: [Value]
  let rounds: Int?
  let options: SchemaOptions

  init?(_ line: String) throws {
    guard case .map(let map) = try Value(json: Array(line.utf8), limit: 1 << 30),
      let schema = map["schema"], case .list(let values)? = map["values"]
    else { return nil }
    self.schema = schema
    self.values = values
    rounds = if case .int(let rounds)? = map["rounds"] { rounds } else { nil }
    var options = SchemaOptions()
    options.assertsFormat = map["formats"] == .bool(true)
    options.draft = map["draft"] == .int(7) ? .draft7 : .draft2020
    options.limits.steps = .max
    self.options = options
  }

  /// The verdicts as `1` and `0`, or the times of all rounds in microseconds.
  func result() throws -> String {
    let schema = try Schema(schema, options: options)
    guard let rounds else {
      return try values.map { value in
        let isAccepted = try schema.accepts(value)
        let isValid = try schema.validate(value).isEmpty
        return isAccepted == isValid ? (isValid ? "1" : "0") : "two verdicts"
      }.joined()
    }
    let clock = ContinuousClock()
    return try (0..<rounds).map { _ in
      let time = try clock.measure {
        for value in values where try !schema.accepts(value) { print("invalid") }
      }
      return "\(time / .microseconds(1))"
    }.joined(separator: " ")
  }
}

while let line = readLine() {
  do {
    print(try Job(line)?.result() ?? "no job")
  } catch {
    print("error: " + "\(error)".split(separator: "\n")[0])
  }
}
