import FlowSystem
import TestKit
import Testing

@testable import FlowEditor

/// Edits at random, after which the state is that of a fresh server.
struct RandomEditTests {
  /// A generator of numbers that are the same on every machine (SplitMix64).
  struct Random {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((value ^ (value >> 31)) % UInt64(limit))
    }
  }

  private static let pieces = [
    "", " ", "\n", "  ", "- ", ": ", "{", "}", "[", "]", "\"", "'", "#", "|", "${{ ", " }}",
    "steps.",
    "id: x", "uses: balance.load", "é", "\u{1F389}", "\r\n", "\t", "*a", "&a ", "flow: 1", "with:",
  ]

  @Test(arguments: ["shop.yaml", "totals.yaml"])
  func `after each edit the state is that of a fresh server`(_ name: String) throws {
    let names = ScenarioFolder.names().map { $0 + ".yaml" }
    let name = names.contains(name) ? name : names[0]
    try edit(name, Stress.count(60, full: 10_000), seed: 7)
  }

  private func edit(_ name: String, _ count: Int, seed: UInt64) throws {
    let path = ScenarioFolder.path + "/" + name
    let original = try ScenarioFolder.text(name)
    var (random, desk) = (Random(state: seed), try EditorDesk())
    try desk.open(path, original)
    desk.work()
    for number in 2..<(count + 2) {
      // A text that is broken beyond repair teaches nothing more.
      if number % 25 == 0 { desk.change(path, to: original, version: number) }
      change(path, number, &random, &desk)
      // Sometimes the next edit comes before the check of this one.
      if random.next(below: 4) == 0 { continue }
      desk.work()
      try compare(path, desk, number)
    }
  }

  private func change(
    _ path: String, _ version: Int, _ random: inout Random, _ desk: inout EditorDesk
  ) {
    guard let document = desk.server.workspace.documents[desk.uri(path)] else { return }
    let line = random.next(below: document.lines.count)
    let length = document.lines.line(line).count
    let start = random.next(below: length + 1)
    let deleted = random.next(below: 3) == 0 ? random.next(below: 12) : 0
    let end = EditorPosition(line: line, character: min(length, start + deleted))
    // An editor has no place inside of a character.
    let (lines, encoding) = (document.lines, desk.server.workspace.encoding)
    let whole = { lines.place(of: lines.offset(of: $0, encoding), encoding) }
    let range = EditorRange(whole(EditorPosition(line: line, character: start)), whole(end))
    let text = Self.pieces[random.next(below: Self.pieces.count)]
    desk.notify(
      "textDocument/didChange",
      .fields([
        "textDocument": .fields([
          "uri": .string(desk.uri(path)), "version": .int(version),
        ]),
        "contentChanges": .array([.fields(["range": range.json, "text": .string(text)])]),
      ]))
  }

  private func compare(_ path: String, _ desk: EditorDesk, _ number: Int) throws {
    guard let document = desk.server.workspace.documents[desk.uri(path)] else { return }
    let text = String(decoding: document.bytes, as: UTF8.self)
    var fresh = try EditorDesk()
    try fresh.open(path, text)
    fresh.work()
    #expect(fresh.problems[fresh.uri(path)] == desk.problems[desk.uri(path)], "edit \(number)")
    var old = desk
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
      let (one, other) = (
        old.request("textDocument/" + method, old.document(path)),
        fresh.request("textDocument/" + method, fresh.document(path))
      )
      #expect(one == other, "\(method) after edit \(number)")
    }
  }
}
