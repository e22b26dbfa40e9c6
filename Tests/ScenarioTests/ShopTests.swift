import FlowCommand
import FlowCore
import TestKit
import Testing

/// What the shop scenario shows, step by step.
@Suite struct ShopTests {
  private let shop = "\(ScenarioFolder.path)/shop.yaml"

  @Test func `the shop pages through all rows, fetches every picture and ends with 87.50`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.directory.path + "/shop.jsonl"
    let run = try await FlowRun("run", shop, "--record", path)

    let transcript = try folder.text("shop.jsonl")
    #expect(run.output.contains("\n  remaining: 87.50\n"))
    #expect(transcript.split(separator: "catalog.page").count - 1 == 3)
    #expect(transcript.split(separator: "images.fetch").count - 1 == 57)
  }

  @Test func `an input changes the run and the expectation`() async throws {
    let run = try await FlowRun("run", shop, "--input", "amount=30", "--quiet")

    #expect(run.output.contains("\n  remaining: 70.00\n"))
    #expect(run.code == .passed)
  }

  @Test(arguments: [
    ("amount=abc", "the input 'amount': expected decimal, got \"abc\" [F1403]"),
    ("amuont=1", "the scenario has no input 'amuont'; did you mean 'amount'? [F1401]"),
  ])
  func `a wrong input is exit 65 and names the input`(_ input: String, _ message: String)
    async throws
  {
    let run = try await FlowRun("run", shop, "--input", input)

    #expect(run.errors == "error: \(message)\n")
    #expect(run.code == .badInput)
  }

  @Test func `a changed output in the transcript fails the replay at its step`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try ScenarioFolder.text("shop.yaml"), to: "shop.yaml")
    let transcript = try ScenarioFolder.text("shop.transcript.jsonl").unsealed
    let changed = transcript.replacing(
      existing: #"{"at":"spend#1","ok":{"balance":"87.50"}}"#,
      with: #"{"at":"spend#1","ok":{"balance":"88.50"}}"#)
    try folder.write(changed, to: "shop.transcript.jsonl")
    let run = try await FlowRun("replay", folder.directory.path + "/shop.transcript.jsonl")

    #expect(changed != transcript)
    #expect(run.errors.contains("error: 'spend#1' did not answer as expected [F2001]\n"))
    #expect(run.errors.contains("\n  note: balance: expected 87.50, got 88.50\n"))
    #expect(run.code == .failed)
  }

  @Test func `a transcript cut in half is one error`() async throws {
    let folder = try TemporaryFolder()
    let transcript = try ScenarioFolder.text("shop.transcript.jsonl")
    try folder.write(String(transcript.prefix(transcript.count / 2)), to: "half.jsonl")
    let run = try await FlowRun("replay", folder.directory.path + "/half.jsonl")

    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.errors.contains("error: the transcript has no end; it was cut off after this line"))
    #expect(run.code == .badInput)
  }
}
