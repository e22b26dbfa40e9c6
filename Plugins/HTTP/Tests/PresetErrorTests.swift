import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// Presets that cannot be used, and what is told of them.
@Suite struct PresetErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The setting, as it is written.
    let setting: String
    /// The file `own.yaml`.
    var file = "presets: {mine: {}}\n"
    let reason: String
    var testDescription: String { setting + " " + file }
  }

  private static let rows = [
    Row(setting: "opnai", reason: "there is no preset 'opnai'; did you mean 'openai'?"),
    Row(
      setting: "gemini",
      reason: "there is no preset 'gemini'; there are anthropic, ollama, openai, by-host"),
    Row(
      setting: "own.yaml#yours",
      reason: "there is no preset 'yours' in 'own.yaml'; there are mine, by-host"),
    Row(setting: "own.yaml#", reason: "'own.yaml#' is no name, and not FILE#NAME"),
    Row(
      setting: "../own.yaml#mine",
      reason: "cannot read '../own.yaml': the path is outside the scenario's folder"),
    Row(setting: "none.yaml#mine", reason: "cannot read 'none.yaml': no such file"),
    Row(
      setting: "own.yaml#mine", file: "presets:\n  mine: {prise: {}}\n",
      reason: "own.yaml:2:17: 'presets.mine.prise': unknown field; did you mean 'prices'?"),
    Row(
      setting: "own.yaml#mine", file: "presets:\n  mine:\n    usage: {input: ['a..b']}\n",
      reason:
        "own.yaml:3:21: 'presets.mine.usage.input[0]': expected a text such as 'usage.input_tokens', got \"a..b\""
    ),
    Row(
      setting: "own.yaml#mine", file: "presets:\n  mine:\n    varies: {answer: [json..id]}\n",
      reason: "own.yaml:3:23: 'json..id' is no place such as 'json.items[*].id'"),
    Row(
      setting: "own.yaml#mine",
      file: "presets: {mine: {prices: {currency: USD, models: {a: {input: x, output: 1}}}}}\n",
      reason: "own.yaml:1:62: 'presets.mine.prices.models.a.input': expected decimal, got \"x\""),
    Row(
      setting: "${{ inputs.api }}",
      reason: "'preset' cannot have an expression: it is read before the run"),
  ]

  @Test(arguments: rows) func `a preset that cannot be used is refused where it is named`(
    _ row: Row
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(row.file, to: "own.yaml")
    try folder.write(
      """
      flow: 1
      inputs: {api: {type: string, default: openai}}
      components:
        model:
          plugin: http
          with:
            preset: \(row.setting)
      steps:
        - {uses: model.get, with: {path: "${{ inputs.api }}"}}

      """, to: "s.yaml")

    let run = try await FlowCommandRun(["check", "@/s.yaml"], in: folder, components: [HTTP.self])

    let reason =
      row.reason.hasPrefix("'preset'") ? row.reason : "'preset': \(row.reason)"
    #expect(
      run.errors.split(separator: "\n").first.map(String.init)
        == "@/s.yaml:7:15: error: 'model' cannot be opened with these settings: \(reason) [F1218]",
      "\(run.errors)")
    #expect(run.code == .badInput)
  }

  @Test func `a field that only a preset adds is unknown without it`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        model: {plugin: http, with: {base: "http://a"}}
        known: {plugin: http, with: {preset: anthropic}}
      steps:
        - {uses: model.get, expect: {usage: null}}
        - {uses: known.get, expect: {usage: {stopp: end_turn}}}

      """, to: "s.yaml")

    let run = try await FlowCommandRun(["check", "@/s.yaml"], in: folder, components: [HTTP.self])

    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("error:") } == [
        "@/s.yaml:6:32: error: the answer of 'model.get' has no field 'usage' [F1204]",
        "@/s.yaml:7:40: error: 'usage' has no field 'stopp'; did you mean 'stop'? [F1204]",
      ])
  }
}
