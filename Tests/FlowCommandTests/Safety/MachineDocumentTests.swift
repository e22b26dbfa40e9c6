import Foundation
import TestKit
import Testing

/// Documents for machines under patterns that match their syntax.
@Suite struct MachineDocumentTests {
  private static let scenario = """
    flow: 1
    inputs: {who: {type: string, default: id-4711}}
    components: {p: {plugin: probe}}
    steps:
      - {id: told, uses: p.echo, with: {value: {id-4711: "${{ inputs.who }} or VALUE"}}}
      - {id: count, uses: p.count, with: {by: 12}}

    """

  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try write("id-12", patterns: [])
    _ = try await flow("run", "@/s.yaml", "--record")
    _ = try await flow("run", "@/s.yaml", "--record=@/other.jsonl", "--input", "who=id-4712")
    try write("id-12", patterns: ["[0-9]{2,}"])
    _ = try await flow("run", "@/s.yaml", "--record=@/new.jsonl")
  }

  private func write(_ value: String, patterns: [String]) throws {
    try folder.write(Self.scenario.replacing(existing: "VALUE", with: value), to: "s.yaml")
    let list = patterns.map { "'\($0)'" }.joined(separator: ", ")
    try folder.write("{flow: 1, redact: [\(list)]}", to: "flow.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  /// Returns the content of a document, or fails for an invalid one.
  private func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
  }

  private static let patterns = ["[0-9]{2,}", "[0-9]+", "F30", "[a-z]+", ".+", "[\"{}:,]"]

  @Test(arguments: patterns) func `every document stays one`(_ pattern: String) async throws {
    try write("more id-13", patterns: [pattern])
    let wrong = Self.scenario.replacing(existing: "p.count", with: "p.cuont")
    try folder.write(wrong, to: "wrong.yaml")
    for arguments in [
      ["replay", "@/new.jsonl"], ["test", "@/s.yaml", "--update", "never"],
      ["diff", "@/s.transcript.jsonl", "@/other.jsonl"], ["check", "@/wrong.yaml"],
      ["check", "@/wrong.yaml", "--format", "sarif"],
    ] {
      let format = arguments.contains("sarif") ? [] : ["--format", "json"]
      let run = try await FlowCommandRun(arguments + format, in: folder)

      #expect(isJSON(run.output), "\(arguments): \(run.output)")
      #expect(run.output.count > 100)
    }
  }

  @Test func `a document of alterations stays one`() async throws {
    try write("id-12", patterns: ["[0-9]+"])
    _ = try await flow("run", "@/s.yaml", "--record")
    let run = try await flow("mutate", "@/s.yaml", "--format", "json", "--details", "-")

    #expect(isJSON(run.output), "\(run.output)")
    #expect(run.output.contains(#""noticed":"#))
  }

  @Test func `data is hidden, and what flow says is not`() async throws {
    try write("more id-13", patterns: ["[0-9]{2,}"])
    let replay = try await flow("replay", "@/new.jsonl", "--format", "json", "--details", "-")
    let test = try await flow(
      "test", "@/s.yaml", "--update", "never", "--format", "json", "--details", "-")

    for output in [replay.output, test.output] {
      #expect(output.contains(#""code":"F3003""#))
      #expect(!output.contains("id-4711"))
      #expect(!output.contains("id-13"))
    }
  }

  @Test func `digests stay what they are, and values do not`() async throws {
    let run = try await flow(
      "diff", "@/s.transcript.jsonl", "@/other.jsonl", "--format", "json", "--details", "-")
    try write("id-13", patterns: ["[0-9]{2,}"])
    _ = try await flow("run", "@/s.yaml", "--record=@/newer.jsonl")
    let digests = try await flow(
      "diff", "@/new.jsonl", "@/newer.jsonl", "--format", "json", "--details", "-")

    #expect(!run.output.contains("id-471"))
    #expect(run.output.contains("${redacted:1}"))
    #expect(digests.output.contains(/"path":"digest","recorded":"sha256:[0-9a-f]{64}"/))
  }
}
