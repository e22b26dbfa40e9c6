extension Surface {
  /// The start of a scenario with a balance.
  static let balance = "components: {b: {plugin: balance, with: {opening: 1.00}}}\n"
  static let add = "uses: b.add, with: {amount: 1.00}"

  /// The loader, the checker and the run.
  static let scenarios = [
    scenario("scenario: steps", "run") { n in each(n) { "  - {id: s\($0), \(add)}\n" } },
    scenario("scenario: references", "check") { n in
      each(n) { "  - {id: s\($0), \(add)}\n" } + "  - assert:\n"
        + each(n) { "      - ${{ steps.s\($0).balance > 0.0 }}\n" }
    },
    scenario("scenario: unknown operations", "check") { n in
      each(n) { "  - {uses: b.ad\($0), with: {amont: 1.00}}\n" }
    },
    scenario("scenario: unknown references", "check") { n in
      each(n) { "  - {id: page\($0), \(add)}\n" } + "  - assert:\n"
        + each(n) { "      - ${{ steps.pape\($0).balance > 0.0 }}\n" }
    },
    scenario("scenario: unknown keys", "check") { n in each(n) { "  - {\(add), k\($0): 1}\n" } },
    scenario("scenario: repeated ids", "check") { n in each(n) { _ in "  - {id: s, \(add)}\n" } },
    scenario("scenario: conditions", "check") { n in
      "  - {id: t, \(add)}\n"
        + each(n) { "  - {id: s\($0), if: \"${{ steps.t.balance > 0.0 }}\", \(add)}\n" }
        + "  - assert:\n" + each(n) { "      - ${{ has(steps.s\($0)) }}\n" }
    },
    scenario("scenario: variables", "run") { n in each(n) { "  - set: {v\($0): 1}\n" } },
    scenario("scenario: a graph", "graph") { n in each(n) { "  - {id: s\($0), \(add)}\n" } },
    scenario("scenario: a loop", "run") { n in
      "  - {for: x, in: \"${{ lists.range(\(n)) }}\", do: [{\(add)}]}\n"
    },
    Surface("scenario: components") { n, folder in
      try folder.scenario(
        each(n) { "  - {uses: b\($0).load}\n" },
        before: "components:\n" + each(n) { "  b\($0): {plugin: balance}\n" })
      return ["run", "s.yaml"]
    },
    // A parallel step has at most a thousand branches.
    Surface("transcript: branches recorded", from: 100) { n, folder in
      try folder.scenario(branches(n), before: balance)
      return ["run", "s.yaml", "--record=new.jsonl"]
    },
    scenario("transcript: recorded", "run", "--record=new.jsonl") { n in
      each(n) { "  - {id: s\($0), \(add)}\n" }
    },
    scenario("transcript: a journal", "run", "--journal", "new.jsonl") { n in
      each(n) { "  - {id: s\($0), \(add)}\n" }
    },
    Surface("transcript: replayed") { n, folder in
      try folder.scenario(each(n) { "  - {id: s\($0), \(add)}\n" }, before: balance)
      try folder.flow("run", "s.yaml", "--quiet", "--record")
      return ["replay", "s.transcript.jsonl", "--quiet"]
    },
    Surface("transcript: replayed, and all is changed") { n, folder in
      try folder.scenario(each(n) { "  - {id: s\($0), \(add)}\n" }, before: balance)
      try folder.flow("run", "s.yaml", "--quiet", "--record")
      try folder.scenario(each(n) { "  - {id: t\($0), \(add)}\n" }, before: balance)
      return ["replay", "s.transcript.jsonl", "--quiet"]
    },
  ]

  static func branches(_ count: Int) -> String {
    "  - parallel:\n" + each(min(count, 1_000)) { "      b\($0): [{\(add)}]\n" }
  }

  private static func scenario(
    _ name: String, _ command: String, _ options: String...,
    steps: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name) { n, folder in
      try folder.scenario(steps(n), before: balance)
      return [command, "s.yaml"] + options
    }
  }

  /// Expressions, whose steps are bounded.
  static let expressions = [
    expression("expression: split", "size(inputs.s.split('a')) > 0"),
    expression("expression: replace", "inputs.s.replace('a', 'xyz') != ''"),
    expression("expression: index of", "inputs.s.indexOf('abc') < 0"),
    expression("expression: matches", "!inputs.s.matches('^((a|b|ab)*)*x')"),
    expression("expression: sort", "size(lists.range(inputs.n).map(i, -i).sort()) > 0"),
    expression("expression: distinct", "size(lists.range(inputs.n).distinct()) > 0"),
    expression("expression: join", "lists.range(inputs.n).map(i, string(i)).join(',') != ''"),
    expression("expression: equality", "lists.range(inputs.n) == lists.range(inputs.n)"),
    Surface("expression: json") { n, folder in
      let text = "{" + each(n, separator: ",") { "\"k\($0)\": [\($0)]" } + "}"
      try folder.scenario(
        "  - assert: [\"${{ size(json(inputs.s)) > 0 }}\"]\n",
        before: "inputs: {s: {type: string, default: '\(text)'}}\n")
      return ["run", "s.yaml"]
    },
  ]

  private static func expression(_ name: String, _ text: String) -> Surface {
    Surface(name) { n, folder in
      let inputs = """
        inputs:
          n: {type: int, default: \(n)}
          s: {type: string, default: \(String(repeating: "ab", count: n))}

        """
      try folder.scenario("  - assert: [\"${{ \(text) }}\"]\n", before: inputs)
      return ["run", "s.yaml"]
    }
  }
}
