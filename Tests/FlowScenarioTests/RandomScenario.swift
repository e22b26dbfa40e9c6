import FlowCore

/// A random scenario of nested blocks, which reads answers and variables anywhere.
struct RandomScenario {
  let text: String

  init(using random: inout SeededGenerator) {
    var writer = Writer(random: random)
    let steps = writer.list(depth: 3, inFinally: false)
    let finally = writer.chance(3) ? "finally: \(writer.list(depth: 1, inFinally: true))\n" : ""
    text =
      "flow: 1\ninputs: {a: {type: bool}, b: {type: bool}}\ncomponents: {p: {plugin: probe}}\n"
      + "steps: \(steps)\n" + finally
    random = writer.random
  }
}

private struct Writer {
  var random: SeededGenerator
  private var ids = 0
  private var branches = 0

  init(random: SeededGenerator) {
    self.random = random
  }

  /// True once in so many times.
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// Steps in brackets, at least one.
  mutating func list(depth: Int, inFinally: Bool) -> String {
    let count = Int.random(in: 1...3, using: &random)
    let steps = (0..<count).map { _ in step(depth: depth, inFinally: inFinally) }
    return "[" + steps.joined(separator: ", ") + "]"
  }

  private mutating func step(depth: Int, inFinally: Bool) -> String {
    var keys = action(depth: depth, inFinally: inFinally)
    if chance(4) && !keys.contains(where: { $0.hasPrefix("if:") }) { keys.append(condition()) }
    if chance(8) { keys.append("continue-on-error: true") }
    return "{" + keys.joined(separator: ", ") + "}"
  }

  private mutating func action(depth: Int, inFinally: Bool) -> [String] {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 7), using: &random) {
    case 0, 1, 2:
      ids += 1
      return ["id: i\(ids)", "uses: p.count"]
    case 3: return ["set: {v\(Int.random(in: 0...2, using: &random)): 1}"]
    case 4, 5: return ["assert: [\"${{ \(read(inFinally: inFinally)) }}\"]"]
    // What fails in a 'finally' ends nothing, so later steps of it may miss an answer.
    case 6: return inFinally ? ["uses: p.count"] : ["uses: p.crash"]
    default: return block(depth: depth - 1, inFinally: inFinally)
    }
  }

  private mutating func block(depth: Int, inFinally: Bool) -> [String] {
    let body = list(depth: depth, inFinally: inFinally)
    var keys: [String] =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: ["do: \(body)"]
      case 1, 2:
        ["do: \(body)", condition(), "else: \(list(depth: depth, inFinally: inFinally))"]
      case 3:
        ["for: x", "in: \"${{ [1, 2] }}\"", "do: \(body)"] + (chance(2) ? ["parallel: 2"] : [])
      case 4: ["repeat: {while: \"${{ loop.index < 2 }}\", limit: 3}", "do: \(body)"]
      default: ["parallel: {\(parallel(body, depth: depth, inFinally: inFinally))}"]
      }
    if chance(3) { keys.append("finally: \(list(depth: depth, inFinally: true))") }
    return keys
  }

  private mutating func parallel(_ body: String, depth: Int, inFinally: Bool) -> String {
    branches += 1
    let needs = chance(2) ? "needs: [a\(branches)], " : ""
    let first = "a\(branches)"
    return "\(first): \(body), b: {\(needs)do: \(list(depth: depth, inFinally: inFinally))}"
  }

  private mutating func condition() -> String {
    "if: \"${{ \(["inputs.a", "inputs.b", "!inputs.a", "inputs.a || inputs.b"].randomElement(using: &random) ?? "") }}\""
  }

  private mutating func read(inFinally: Bool) -> String {
    if chance(2) && !inFinally { return "v\(Int.random(in: 0...2, using: &random)) == 1" }
    let id = "steps.i\(Int.random(in: 1...max(1, ids), using: &random))"
    return inFinally && !chance(4) ? "!has(\(id)) || \(id).value > 0" : "\(id).value > 0"
  }
}
