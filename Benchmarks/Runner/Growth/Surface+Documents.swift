extension Surface {
  /// Files of data, read by the component `file`.
  static let documents = [
    data("csv: columns", "csv") { n in
      each(n, separator: ",") { "c\($0)" } + "\n" + each(n, separator: ",") { "\($0)" } + "\n"
    },
    data("csv: rows", "csv") { n in "a,b\n" + each(n) { "\($0),\"x\ny\"\n" } },
    data("csv: a quoted field", "csv") { n in "a\n\"" + each(n) { "\"\"\($0)\n" } + "\"\n" },
    Surface("csv: typed columns") { n, folder in
      let names = (0..<n).map { "c\($0)" }.joined(separator: ",")
      try folder.write(names + "\n" + each(n, separator: ",") { "\($0)" } + "\n", to: "data")
      return try read(
        "csv", folder, ", columns: {" + each(n, separator: ", ") { "c\($0): int" } + "}")
    },
    data("json: a list", "json") { n in "[" + each(n, separator: ",") { "\($0)" } + "]" },
    data("json: keys", "json") { n in
      "{" + each(n, separator: ",") { "\"k\($0)\": \($0)" } + "}"
    },
    data("json: a text", "json") { n in "\"" + each(n) { "\\u00e9\($0)" } + "\"" },
    data("json: a number", "json") { n in "0." + each(n) { _ in "12" } },
    data("json: broken at its end", "json") { n in "[" + each(n) { "\($0),\n" } },
    data("yaml: keys", "yaml") { n in each(n) { "k\($0): v\n" } },
    data("yaml: a flow", "yaml") { n in "[" + each(n) { "a\($0), " } + "]" },
    data("yaml: a text of many lines", "yaml") { n in "a: b" + each(n) { " c\($0)\n " } },
    data("yaml: comments", "yaml") { n in each(n) { "# c\($0)\n" } + "a: 1\n" },
    data("yaml: anchors", "yaml") { n in each(n) { "- &a\($0) b\n- *a\($0)\n" } },
    data("yaml: broken at its end", "yaml") { n in each(n) { "k\($0): v\n" } + " x: [1\n" },
    writing("csv: written", "csv"), writing("yaml: written", "yaml"),
    Surface("inputs: a file") { n, folder in
      try folder.write(each(n) { "i\($0): 1\n" }, to: "i.yaml")
      try folder.scenario(
        "  - set: {a: 1}\n", before: "inputs:\n" + each(n) { "  i\($0): {type: int}\n" })
      return ["run", "s.yaml", "--inputs", "i.yaml"]
    },
    Surface("inputs: unknown names") { n, folder in
      try folder.write(each(n) { "first\($0): 1\n" }, to: "i.yaml")
      try folder.scenario(
        "  - set: {a: 1}\n",
        before: "inputs:\n" + each(n) { "  other\($0): {type: int, default: 1}\n" })
      return ["run", "s.yaml", "--inputs", "i.yaml"]
    },
  ]

  private static func data(
    _ name: String, _ format: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name) { n, folder in
      try folder.write(text(n), to: "data")
      return try read(format, folder)
    }
  }

  private static func read(
    _ format: String, _ folder: GrowthFolder, _ more: String = ""
  ) throws -> [String] {
    try folder.scenario(
      "  - {uses: f.read, with: {path: data, as: \(format)\(more)}}\n",
      before: "components: {f: {plugin: file}}\n")
    return ["run", "s.yaml"]
  }

  private static func writing(_ name: String, _ format: String) -> Surface {
    Surface(name) { n, folder in
      let data = "${{ lists.range(\(n)).map(i, {'a': i, 'b': string(i)}) }}"
      try folder.scenario(
        "  - {uses: f.write, with: {path: new.jsonl, as: \(format), data: \"\(data)\"}}\n",
        before: "components: {f: {plugin: file}}\n")
      return ["run", "s.yaml"]
    }
  }
}
