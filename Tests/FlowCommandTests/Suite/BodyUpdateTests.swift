import FlowCommand
import FlowCore
import TestKit
import Testing

/// Long bodies of transcripts that `flow test` writes again.
@Suite struct BodyUpdateTests {
  private static let transcript = "reader.transcript.jsonl"

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.writeReader(page: "old")
  }

  private func test(_ options: String..., environment: [String: String] = [:]) async throws
    -> SuiteRun
  {
    try await suite.flow(["test", "@/"] + options, environment: environment)
  }

  @Test(arguments: [[:], ["CI": "true"]])
  func `a missing body is mended where the lines are the same`(
    _ environment: [String: String]
  ) async throws {
    try suite.folder.write(String(repeating: "long ", count: 1_000), to: "page.txt")
    _ = try await test()
    let name = try suite.folder.names(in: "blobs")[0]
    try suite.folder.remove("blobs/\(name)")

    let run = try await test("--update", "all", environment: environment)

    #expect(run.output.hasPrefix("recorded @/reader.yaml  ("))
    #expect(run.code == (environment.isEmpty ? .passed : .failed))
    #expect(
      try suite.folder.names(in: environment.isEmpty ? "blobs" : ".flow/recorded/blobs") == [name])
  }

  @Test func `a matcher and its example stay when the new value is long`() async throws {
    let page = { (letter: String) in String(repeating: letter, count: 5_000) }
    _ = try await test()
    let recorded = try suite.folder.text(Self.transcript).unsealed
    try suite.folder.write(
      recorded.replacing(
        existing: #""ok":{"text":"old"}"#,
        with: #""ok":{"text":{"$match":"^[a-z]+$","example":"old"}}"#
      )
      .replacing(
        existing: #""outputs":{"text":"old"}"#, with: #""outputs":{"text":{"$any":"string"}}"#),
      to: Self.transcript)
    try suite.folder.write(page("a"), to: "page.txt")

    let updated = try await test("--update", "all")

    let text = try suite.folder.text(Self.transcript)
    #expect(updated.code == .passed)
    #expect(text.contains(#""ok":{"text":{"$match":"^[a-z]+$","example":"old"}}"#))
    #expect(text.contains(#""outputs":{"text":{"$any":"string"}}"#))
    #expect(try !suite.folder.names(in: ".").contains("blobs"))
    #expect(try await test().code == .passed)
    try suite.folder.write(page("b"), to: "page.txt")
    #expect(try await test("--live", "--update", "never").code == .passed)
  }

  @Test func `a body that a matcher stands for is not kept`() async throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{uses: n.write, with: {text: TEXT}}]

      """, to: "reader.yaml")
    _ = try await test()
    let recorded = try suite.folder.text(Self.transcript).unsealed
    try suite.folder.write(
      recorded.replacing(
        existing: #""input":{"text":"TEXT"}"#, with: #""input":{"text":{"$any":"string"}}"#),
      to: Self.transcript)
    let scenario = try suite.folder.text("reader.yaml")
    try suite.folder.write(
      scenario.replacing(existing: "TEXT", with: String(repeating: "x", count: 5_000)),
      to: "reader.yaml")

    _ = try await test("--update", "all")

    #expect(try suite.folder.text(Self.transcript).contains(#""input":{"text":{"$any":"string"}}"#))
    #expect(try suite.folder.names(in: "blobs") == [])
  }
}
