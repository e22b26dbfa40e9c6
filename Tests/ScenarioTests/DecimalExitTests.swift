import FlowCommand
import TestKit
import Testing

/// A decimal is the same number, with the same digits, wherever it leaves a scenario.
@Suite struct DecimalExitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("10.00", "10.00"), ("1e3", "1000"), ("25E-1", "2.5"), ("0.0", "0.0"), ("0.10", "0.10"),
    ("-250.500", "-250.500"), ("+7.", "7"), (".5", "0.5"),
    ("12345678901234567890.123456789", "12345678901234567890.123456789"),
    ("100000000000000000000000000000000000000", "100000000000000000000000000000000000000"),
  ])
  func `a decimal has one text in files, arguments and variables`(
    _ number: String, _ text: String
  ) async throws {
    try folder.write(Self.scenario(number, text), to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"), "--input", "n=\(number)")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  private static func scenario(_ number: String, _ text: String) -> String {
    """
    flow: 1
    inputs: {n: {type: decimal}}
    components: {f: {plugin: file}, p: {plugin: process}}
    steps:
      - {uses: f.write, with: {path: a.json, data: {n: "${{ inputs.n }}", m: [\(number)]}}}
      - {uses: f.read, with: {path: a.json}, expect: {text: "{\\"n\\":\(text),\\"m\\":[\(text)]}\\n"}}
      - {uses: f.write, with: {path: a.csv, as: csv, data: [{n: "${{ inputs.n }}", m: \(number)}]}}
      - {uses: f.read, with: {path: a.csv}, expect: {text: "n,m\\r\\n\(text),\(text)\\r\\n"}}
      - {uses: f.write, with: {path: a.yaml, as: yaml, data: ["${{ inputs.n }}", \(number)]}}
      - {uses: f.read, with: {path: a.yaml}, expect: {text: "- \(text)\\n- \(text)\\n"}}
      - {uses: f.write, with: {path: a.txt, text: "<${{ inputs.n }}${{ '>' + string(inputs.n) }}"}}
      - {uses: f.read, with: {path: a.txt}, expect: {text: "<\(text)>\(text)"}}
      - uses: p.run
        with:
          argv: [sh, -c, 'echo "$0 $A"', "${{ string(inputs.n) }}"]
          env: {A: "is ${{ inputs.n }}"}
        expect: {stdout: "\(text) is \(text)\\n"}
    """
  }

  @Test(arguments: [
    ("-0", "-0"), ("-0.0", "-0.0"), ("-0e2", "-0e2"),
    ("12345678901234567890123456789012345678901", "12345678901234567890123456789012345678901"),
    (
      "-0115792089237316195423570985008687907853269984665640564039457584007913129639935",
      "-115792089237316195423570985008687907853269984665640564039457584007913129639935"
    ),
    (
      "1.00000000000000000000000000000000000000000000000000001",
      "1.00000000000000000000000000000000000000000000000000001"
    ), ("1e-400", "1e-400"), ("1e300", "1e300"),
  ])
  func `a number that no decimal prints again keeps its text`(
    _ number: String, _ text: String
  ) async throws {
    try folder.write("[\(text), 1E5]", to: "b.json")
    try folder.write(
      """
      flow: 1
      components: {f: {plugin: file}, p: {plugin: process}}
      steps:
        - {id: n, uses: f.write, with: {path: a.json, data: {m: [\(number)]}}}
        - {uses: f.read, with: {path: a.json}, expect: {text: "{\\"m\\":[\(text)]}\\n"}}
        - {id: a, uses: f.read, with: {path: a.json, as: json}, expect: {data: {m: [\(number)]}}}
        - {uses: f.write, with: {path: a.yaml, as: yaml, data: "${{ steps.a.data.m }}"}}
        - {uses: f.read, with: {path: a.yaml}, expect: {text: "- \(text)\\n"}}
        - {id: b, uses: f.read, with: {path: b.json, as: json}}
        - {uses: f.write, with: {path: c.json, data: "${{ steps.b.data[0] }}"}}
        - {uses: f.read, with: {path: c.json}, expect: {text: "\(text)\\n"}}
        - uses: p.run
          with: {argv: [echo, "<${{ steps.b.data[0] }}>"]}
          expect: {stdout: "<\(text)>\\n"}
      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"))

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    ("10.00", "real", "2.5"), ("1e3", "real", "250.0"), ("-0.0", "real", "0.0"),
    ("7", "real", "1.75"), ("9.75", "real", "2.4375"), ("-6.0", "real", "-1.5"),
    ("99999999999999.0", "real", "24999999999999.75"),
    ("1234567890123456", "integer", "308641972530864"),
    ("0.25000000000000000004", "text", "0.0625"),
  ])
  func `SQLite divides a decimal as a number with a fraction`(
    _ number: String, _ type: String, _ quarter: String
  ) async throws {
    try folder.write(
      """
      flow: 1
      inputs: {n: {type: decimal}}
      components: {db: {plugin: sql, with: {file: ":memory:"}}}
      steps:
        - uses: db.query
          with: {sql: "SELECT typeof(?1) AS t, ?1 / 4 AS q", parameters: ["${{ inputs.n }}"]}
          expect: {rows: [{t: \(type), q: \(quarter)}]}
      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"), "--input", "n=\(number)")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test(
    .enabled(if: DatabaseServer.isHere, Comment(rawValue: DatabaseServer.absence)),
    arguments: [
      ("10.00", "10.00", "2.5"), ("1e3", "1000", "250"), ("7", "7", "1.75"),
      ("9.75", "9.75", "2.4375"),
      ("0.25000000000000000004", "0.25000000000000000004", "0.06250000000000000001"),
    ])
  func `PostgreSQL takes a decimal as numeric`(
    _ number: String, _ text: String, _ quarter: String
  ) async throws {
    let url = try await DatabaseServer.shared().url(password: "none", "")
    try folder.write(
      """
      flow: 1
      inputs: {n: {type: decimal}}
      components: {db: {plugin: sql, with: {url: "\(url)"}}}
      steps:
        - uses: db.query
          with:
            sql: "SELECT $1::text AS n, trim_scale($1 / 4)::text AS q, pg_typeof($1)::text AS t"
            parameters: ["${{ inputs.n }}"]
          expect: {rows: [{n: "\(text)", q: "\(quarter)", t: numeric}]}
      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"), "--input", "n=\(number)")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }
}
