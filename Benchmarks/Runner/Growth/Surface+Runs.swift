extension Surface {
  /// Messages about two different values.
  static let comparisons = [
    difference("difference: lines", "text", { "l\($0)\n" }, { "m\($0)\n" }),
    difference("difference: a line of text", "text", { "é\($0)" }, { "é\($0 + 1)" }),
    difference("difference: a list", "json", { "[\($0)]," }, { "[\($0 + 1)]," }),
    difference(
      "difference: maps", "json", { "{\"a\": \($0)}," }, { "{\"a\": \($0), \"b\": 1}," }),
    expected("expectation: a list", { "\($0)" }, { "\($0 + 1)" }, "[", "]"),
    expected(
      "expectation: absent keys", { "\"left\($0)\": 1" }, { "\"lift\($0)\": 1" }, "{", "}"),
  ]

  private static func difference(
    _ name: String, _ format: String, _ old: @escaping @Sendable (Int) -> String,
    _ new: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name, from: 100) { n, folder in
      let close = { (text: String) in format == "json" ? "[" + text + "0]" : text }
      try folder.scenario(
        "  - {uses: f.read, with: {path: data, as: \(format)}}\n",
        before: "components: {f: {plugin: file}}\n")
      try folder.write(close(each(n, old)), to: "data")
      try folder.flow("run", "s.yaml", "--quiet", "--record")
      try folder.move("s.transcript.jsonl", to: "old.jsonl")
      try folder.write(close(each(n, new)), to: "data")
      try folder.flow("run", "s.yaml", "--quiet", "--record")
      return ["diff", "old.jsonl", "s.transcript.jsonl"]
    }
  }

  private static func expected(
    _ name: String, _ actual: @escaping @Sendable (Int) -> String,
    _ expected: @escaping @Sendable (Int) -> String, _ start: String, _ end: String
  ) -> Surface {
    Surface(name, from: 100) { n, folder in
      try folder.write(start + each(n, separator: ", ", actual) + end, to: "data")
      let value = start + each(n, separator: ", ", expected) + end
      try folder.scenario(
        "  - {uses: f.read, with: {path: data, as: json}, expect: {data: \(value)}}\n",
        before: "components: {f: {plugin: file}}\n")
      return ["run", "s.yaml"]
    }
  }

  /// Strings with hidden parts.
  static let redactions = [
    pattern("redaction: card numbers", #"\b[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{4}\b"#) { n in
      each(n) { _ in "card 4929-1111-2222-3333 ok\n" }
    },
    pattern("redaction: different matches", "x[0-9]+") { n in each(n) { "x\($0) y\n" } },
    pattern("redaction: a pattern that never ends", "([0-9]+-)+x") { n in each(n) { "\($0)-" } },
    secret("redaction: a secret", "correct-horse") { n in
      each(n) { "correct-horse é %20 \($0)\n" }
    },
    secret("redaction: no secret, but nearly", "correct-horse") { n in
      each(n) { "correct-hors é %20 \($0)\n" }
    },
    secret("redaction: base 64", "correct-horse") { n in each(n) { _ in "Y29ycmVjdC1ob3JzZQ==" } },
    secret("redaction: escapes", "correct<&>horse") { n in
      each(n) { _ in "&amp;lt;\\u0026%2526&#x3e;" }
    },
  ]

  private static func pattern(
    _ name: String, _ pattern: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name) { n, folder in
      try folder.write("flow: 1\nredact: ['\(pattern)']\n", to: "flow.yaml")
      return try hiding(text(n), folder)
    }
  }

  private static func secret(
    _ name: String, _ secret: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name) { n, folder in
      try folder.write(secret, to: "secret")
      return try hiding(
        text(n), folder, "inputs: {token: {type: string, secret: true}}\n")
        + ["--secret", "token=@secret"]
    }
  }

  private static func hiding(
    _ text: String, _ folder: GrowthFolder, _ head: String = ""
  ) throws -> [String] {
    try folder.write(text, to: "data")
    try folder.scenario(
      "  - {uses: f.read, with: {path: data}}\n",
      before: head + "components: {f: {plugin: file}}\n")
    return ["run", "s.yaml", "--quiet", "--record=new.jsonl"]
  }

  /// Each report of many steps, and of a long answer.
  static let reports = ["html", "junit", "tap", "tap14", "jsonl", "trace", "markdown"].flatMap {
    format in
    [
      Surface("\(format): steps") { n, folder in
        try folder.scenario(each(n) { "  - {id: s\($0), \(add)}\n" }, before: balance)
        return ["run", "s.yaml", "--quiet", "--report", "\(format)=new.jsonl"]
      },
      Surface("\(format): a long answer") { n, folder in
        try folder.write(each(n) { "a é \"<&\($0)\n" }, to: "data")
        try folder.scenario(
          "  - {uses: f.read, with: {path: data}, expect: {text: x}}\n",
          before: "components: {f: {plugin: file}}\n")
        return ["run", "s.yaml", "--quiet", "--report", "\(format)=new.jsonl"]
      },
    ]
  }

  /// Documents that components read by themselves.
  static let components = [
    Surface("sql: a script") { n, folder in
      try folder.write(
        "CREATE TABLE t (a);\n" + each(n) { "INSERT INTO t VALUES (\($0));\n" }, to: "m.sql")
      return try database("{uses: d.migrate, with: {path: m.sql}}", folder)
    },
    Surface("sql: comments") { n, folder in
      try folder.write(each(n) { "-- \($0)\n" } + "CREATE TABLE t (a);\n", to: "m.sql")
      return try database("{uses: d.migrate, with: {path: m.sql}}", folder)
    },
    Surface("sql: rows") { n, folder in
      let rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < \(n))"
      return try database("{uses: d.query, with: {sql: \"\(rows) SELECT x FROM c\"}}", folder)
    },
    Surface("process: lines") { n, folder in
      try folder.scenario(
        """
          - {uses: p.start, with: {name: a, argv: ["seq \(n); echo done; sleep 9"], shell: true}}
          - {uses: p.wait_for, with: {name: a, line: done}}

        """, before: "components: {p: {plugin: process}}\n")
      return ["run", "s.yaml"]
    },
  ]

  private static func database(_ step: String, _ folder: GrowthFolder) throws -> [String] {
    try folder.scenario(
      "  - \(step)\n",
      before: "components: {d: {plugin: sql, with: {file: ':memory:', max_rows: 9000000}}}\n")
    return ["run", "s.yaml"]
  }
}
