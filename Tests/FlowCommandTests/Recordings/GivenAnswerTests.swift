import FlowCommand
import FlowCore
import TestKit
import Testing

/// Answers of `--done` without the parts that nothing looks at.
@Suite struct GivenAnswerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Till.self])
  }

  /// Leaves a journal with a call without its answer, in a scenario with this last step.
  private func stop(_ last: String) async throws {
    try folder.write(
      """
      flow: 1
      components: {o: {plugin: till}}
      steps:
        - {id: paid, uses: o.pay}
        - assert: ["${{ \(last) }}"]

      """, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let lines = try folder.text("j").split(separator: "\n").prefix(4)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "j")
  }

  /// What the scenario reads, the proposed answer, and the recorded one.
  @Test(
    arguments: [
      (
        "steps.paid.json.id == 7", #"{"status":200,"json":null}"#,
        #"{"status":201,"json":{"id":7}}"#,
        #"{"status":201,"headers":{},"text":"","json":{"id":7},"date":"","elapsed":"0s","size":0}"#
      ),
      (
        "steps.paid.status == 201", #"{"status":200}"#, #"{"status":201}"#,
        #"{"status":201,"headers":{},"text":"","date":"","elapsed":"0s","size":0}"#
      ),
      (
        "steps.paid.problem == null", #"{"status":200,"problem":null}"#, #"{"status":201}"#,
        #"{"status":201,"headers":{},"text":"","date":"","elapsed":"0s","size":0}"#
      ),
      (
        "steps.paid.headers.tag == 'a'", #"{"status":200,"headers":{}}"#,
        #"{"status":201,"headers":{"tag":"a"},"date":"noon"}"#,
        #"{"status":201,"headers":{"tag":"a"},"text":"","date":"noon","elapsed":"0s","size":0}"#
      ),
    ]) func `an answer needs the parts that a comparison or the scenario looks at`(
      _ condition: String, _ form: String, _ given: String, _ recorded: String
    ) async throws
  {
    try await stop(condition)
    let unknown = try await flow("resume", "@/j")
    let resumed = try await flow("resume", "@/j", "--done", "paid#1=\(given)")

    #expect(
      unknown.errors.contains(
        "  note: or with --done 'paid#1=\(form)' if it took effect, with the values of its answer\n"
      ))
    #expect(resumed.errors == "")
    #expect(
      try folder.text("j").contains(#"{"at":"paid#1","ok":\#(recorded),"by":"person","crc":""#))
  }

  @Test(
    arguments: [
      (
        "steps.paid.date != steps.paid.text", "{}",
        "'status' (int), 'text' (string), 'date' (string)",
        #"{"status":200,"text":"","date":""}"#
      ),
      (
        "size(steps.paid.cookie) == 1", #"{"status":200,"text":"x"}"#,
        "'headers' (map(string)), 'date' (string), 'elapsed' (duration), 'size' (int)",
        #"{"status":200,"headers":{},"text":"","json":null,"date":"","elapsed":"0s","size":0}"#
      ),
    ]) func `all missing parts are named at once`(
      _ condition: String, _ given: String, _ missing: String, _ form: String
    ) async throws
  {
    try await stop(condition)
    let run = try await flow("resume", "@/j", "--done", "paid#1=\(given)")

    #expect(
      run.errors == """
        flow: '--done paid#1': the answer lacks \(missing), as in --done 'paid#1=\(form)'
        see 'flow help resume'

        """)
    #expect(run.code == .badCommandLine)
  }
}

/// Pays once, and answers like a server.
private struct Till: Component {
  static let plugin = Plugin(
    "till", version: "1.0", "Pays.", state: .external, reaches: [.network],
    operations: [
      Operation("pay", "Pays.", answers: Receipt.record) { _, _ in
        Receipt(
          status: 201, headers: ["tag": "a"], text: "x", json: .map(ValueMap([("id", .int(7))])),
          date: "noon",
          elapsed: .seconds(1), size: 1, problem: nil)
      }
    ]
  ) { _ in Till() }
}

private struct Receipt: Sendable {
  var status: Int
  var headers: [String: String]
  var text: String
  var json: Value
  var date: String
  var elapsed: Duration
  var size: Int
  var problem: String?

  static let record = Record(
    Receipt.init(status:headers:text:json:date:elapsed:size:problem:),
    Field("status", \.status, "The code.", plausible: [200, 404]),
    Field("headers", \.headers, "The headers.", compared: .whenRead),
    Field("text", \.text, "The body.", compared: .whenReadBeside("json")),
    Field("json", \.json, "The body."),
    Field("date", \.date, "The date.", volatile: true),
    Field("elapsed", \.elapsed, "The time.", volatile: true),
    Field("size", \.size, "The size.", compared: .whenRead),
    Field("problem", \.problem, "The problem, or null.")
  ).computing("cookie", "The first header.") { $0.headers.values.first ?? "" }
}
