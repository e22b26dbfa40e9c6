import FlowCore
import Testing

@testable import ProcessPlugin

/// The cut of an output: at its end alone, with an ellipsis, so the beginning of a secret is found.
@Suite struct OutputTests {
  private func output(_ text: String, limit: Int = 1 << 20) -> Output {
    var output = Output(limit: limit, copy: nil)
    var searches = LineSearches()
    output.append(Array(text.utf8)[...], &searches)
    return output
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    var limit = 1 << 20
    let lines: [String]
    var testDescription: String { "\(text.prefix(20)) \(limit)" }
  }

  private static let long = String(repeating: "y", count: 2_000)

  @Test(arguments: [
    Case(text: "", lines: []), Case(text: "one", lines: ["one"]),
    Case(text: "\n\none\n", lines: ["one"]),
    Case(text: "one\ntwo\n\nthree\nfour\n", lines: ["two", "three", "four"]),
    Case(text: "one\ntwo three", limit: 8, lines: ["one", "two …"]),
    Case(text: "key=\(long)\nend\n", lines: ["key=\(long.prefix(396))…", "end"]),
  ]) func `the last lines are cut at their ends`(_ sample: Case) {
    #expect(output(sample.text, limit: sample.limit).lastLines == sample.lines)
  }

  @Test func `a line that is found is cut at its end`() {
    let text = "ready " + String(repeating: "z", count: 70_000) + "\n"
    var searches = LineSearches()
    let search = searches.add("ready", found: nil)
    var output = Output(limit: 0, copy: nil)
    for start in stride(from: 0, to: text.utf8.count, by: 4_096) {
      output.append(Array(text.utf8.dropFirst(start).prefix(4_096))[...], &searches)
    }

    #expect(searches.line(of: search) == text.prefix(64 << 10) + "…")
  }

  @Test func `a line behind one that was cut is whole`() {
    var searches = LineSearches()
    let search = searches.add("second", found: nil)
    var output = Output(limit: 0, copy: nil)
    output.append(Array((Self.long + Self.long).utf8)[...], &searches)
    output.append(
      Array((String(repeating: "z", count: 70_000) + "\nsecond\n").utf8)[...], &searches)

    #expect(searches.line(of: search) == "second")
  }

  @Test func `the lines for a person who watches come whole, and a flood only in part`() {
    var shown = ShownLines()
    let now = ContinuousClock.now
    let add = { (shown: inout ShownLines, text: String) in
      shown.append(Array(text.utf8)[...], at: now)
    }
    add(&shown, "one\r\ntwo")
    #expect(shown.take() == ["one"])
    add(&shown, " and a half\n\nthr")
    #expect(shown.take() == ["two and a half", ""])
    add(&shown, "ee\n\(String(repeating: "x\n", count: 1_000))")
    #expect(shown.take() == ["three"] + Array(repeating: "x", count: 296))
    add(&shown, "left out\nlast")

    shown.finish()

    #expect(shown.take() == ["… lines are left out", "last"])
  }
}
