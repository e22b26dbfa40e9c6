import FlowCommand
import TestKit
import Testing

/// Answers marked in a scenario as different from run to run.
@Suite struct VolatileStepTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  private func write(_ step: String, outputs: String = "") throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - \(step)
        - {uses: p.count}
      \(outputs)

      """, to: "s.yaml")
  }

  private func record() async throws -> String {
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)
    return try suite.folder.text("s.transcript.jsonl")
  }

  @Test func `a volatile answer is served, and any other is as good`() async throws {
    try write("{id: read, uses: n.read, volatile: [text]}")
    try suite.folder.write("first", to: "page.txt")
    let recorded = try await record()
    #expect(
      recorded.contains(#"{"at":"read#1","ok":{"text":{"$any":"string","example":"first"}}}"#))

    try suite.folder.write("second", to: "page.txt")
    #expect(try await suite.test("--live").output.hasPrefix("passed"))
    #expect(try await record() == recorded)
    let mutated = try await suite.flow("mutate", "@/s.yaml")
    #expect(mutated.output.hasSuffix("0 of 2 alterations were noticed, 0.0 %, in T\n"))

    try suite.folder.remove("page.txt")
    #expect(try await suite.test().output.hasPrefix("passed"))
  }

  @Test func `what the scenario makes of a volatile answer may vary with it`() async throws {
    func scenario(_ value: String) throws {
      try suite.folder.write(
        """
        flow: 1
        components: {n: {plugin: notebook}, p: {plugin: probe}}
        steps:
          - {id: read, uses: n.read, volatile: [text]}
          - {id: echo, uses: p.echo, with: {value: "\(value)"}}
        outputs: {text: "${{ steps.read.text }}", echo: "${{ steps.echo.value }}"}

        """, to: "s.yaml")
    }
    try scenario("${{ steps.read.text }}")
    try suite.folder.write("1", to: "page.txt")
    let recorded = try await record()

    for text in ["2", "b54f0c93-25"] {
      try suite.folder.write(text, to: "page.txt")
      #expect(try await suite.test("--live").errors == "")
      #expect(try await suite.test("--live=n").errors == Self.note(on: "echo#1"))
      #expect(try await record() == recorded)
    }
  }

  /// The note on a call whose answer is served although the value given to it differs.
  private static func note(on call: String) -> String {
    "note: these answers were recorded for other inputs, which follow from live answers: "
      + "'\(call)' (value)\n"
  }

  @Test func `whatever the scenario computes from a volatile answer may vary with it`() async throws
  {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: read, uses: n.read, volatile: [text]}
        - {id: path, uses: p.echo, with: {value: "jobs/${{ steps.read.text }}/log"}}
        - set: {size: "${{ steps.read.text.size() }}"}
        - {id: size, uses: p.echo, with: {value: "${{ size * 1000 }}"}}
        - for: number
          in: "${{ steps.read.text == '17' ? [1] : [1, 2, 3] }}"
          do: [{uses: p.count}]

      """, to: "s.yaml")
    try suite.folder.write("17", to: "page.txt")
    let recorded = try await record()

    for text in ["18", "1942"] {
      try suite.folder.write(text, to: "page.txt")
      #expect(try await suite.test("--live").errors == "")
      #expect(try await record() == recorded)
    }
  }

  @Test(arguments: [
    ("volatile: [text], ", ""), ("", ", volatile: {read: [text]}"),
  ]) func `a part declared after the recording varies in a live run, and where it is repeated`(
    _ step: String, _ component: String
  ) async throws {
    func write(_ step: String, _ component: String) throws {
      try suite.folder.write(
        """
        flow: 1
        components: {n: {plugin: notebook\(component)}, p: {plugin: probe}}
        steps:
          - {id: read, \(step)uses: n.read}
          - {uses: p.echo, with: {value: "jobs/${{ steps.read.text }}/log"}}
        outputs: {text: "${{ steps.read.text }}"}

        """, to: "s.yaml")
    }
    try write("", "")
    try suite.folder.write("b54f0c93-25", to: "page.txt")
    let recorded = try await record()
    try suite.folder.write("c65a1d04-36", to: "page.txt")
    #expect(try await suite.test("--live").code == .failed)

    try write(step, component)
    for live in ["--live", "--live=n,p"] { #expect(try await suite.test(live).errors == "") }
    #expect(try await suite.test("--live=n").errors == Self.note(on: "p.echo#1"))
    #expect(try suite.folder.text("s.transcript.jsonl") == recorded)
  }

  @Test(arguments: [("a1 k 7", "a1 k x"), ("a1 k x", "a1 k 7"), ("a1 k 7", "a1 k 8")])
  func `a part declared after the recording may be null if its type says so`(
    _ then: String, _ now: String
  ) async throws {
    try suite.folder.write(then, to: "page.txt")
    try write("{id: r, uses: n.request}")
    _ = try await record()
    try suite.folder.write(now, to: "page.txt")
    #expect(try await suite.test("--live").code == .failed)

    try write("{id: r, uses: n.request, volatile: [number, text]}")
    #expect(try await suite.test("--live").errors == "")
  }

  @Test func `a changed input is shown with the value of today`() async throws {
    func write(_ value: String) throws {
      try suite.folder.write(
        """
        flow: 1
        components: {n: {plugin: notebook}, p: {plugin: probe}}
        steps:
          - {id: read, uses: n.read, volatile: [text]}
          - {uses: p.echo, with: {value: "${{ steps.read.text }}/price\(value)"}}

        """, to: "s.yaml")
    }
    try write("")
    try suite.folder.write("http://127.0.0.1:39943", to: "page.txt")
    _ = try await record()
    try suite.folder.write("http://127.0.0.1:40325", to: "page.txt")
    try write("?cur=EUR")

    #expect(
      try await suite.test("--live=n").errors.contains(
        """
          note: value: recorded "http://127.0.0.1:40325/price", now "http://127.0.0.1:40325/price?cur=EUR"

        """))
  }

  @Test func `alterations of what is compared in any case come first`() async throws {
    try suite.folder.write("a1 k 7", to: "page.txt")
    try write("{id: r, uses: n.request}")
    _ = try await record()

    let lines = try await suite.flow("mutate", "@/s.yaml", "--all-fields").output
      .split(separator: "\n")
    #expect(
      lines.filter { $0.hasSuffix("not noticed") }.map(String.init) == [
        "n.request, ok.text: 1 of 1 not noticed", "n.request, ok.number: 3 of 3 not noticed",
        "p.count, ok.value: 2 of 2 not noticed",
        "n.request, ok.headers.kind: 1 of 1 not noticed",
        "n.request, ok.headers.tag: 1 of 1 not noticed",
      ])
  }

  @Test(arguments: [
    ("{id: r, uses: n.request, volatile: [number]}", ""),
    ("{id: r, uses: n.request}", ", volatile: {request: [number]}"),
  ]) func `a part declared after the recording is not altered`(
    _ step: String, _ component: String
  ) async throws {
    try suite.folder.write("a1 k 7", to: "page.txt")
    try write("{id: r, uses: n.request}")
    _ = try await record()
    try write(step)
    let text = try suite.folder.text("s.yaml")
    try suite.folder.write(
      text.replacing("plugin: notebook", with: "plugin: notebook\(component)"), to: "s.yaml")

    let output = try await suite.flow("mutate", "@/s.yaml").output
    #expect(!output.contains("ok.number"))
    #expect(output.hasSuffix("0 of 2 alterations were noticed, 0.0 %, in T\n"))
  }

  /// A step whose answer differs in a live run, and the advice.
  @Test(
    arguments: [
      (
        "{id: a, uses: n.read}",
        "if it differs in each run, declare 'volatile: ['text=a1 k {part}']' in the step 'a'"
      ),
      (
        "{id: a, uses: n.read}\n  - {uses: n.price}\n  - {uses: n.read}",
        "if they differ in each run, declare 'volatile: {read: ['text=a1 k {part}'], price: [text]}' "
          + "in the component 'n'"
      ),
      ("{id: a, uses: n.request, volatile: [text]}", nil),
      ("{id: a, uses: n.request, expect: {text: \"${{ it != '' }}\"}}", nil),
    ] as [(String, String?)])
  func `a difference that may be one of each run has the line that says so`(
    _ step: String, _ advice: String?
  ) async throws {
    try write(step)
    for (name, text) in [("page.txt", "a1 k 7"), ("price.txt", "1")] {
      try suite.folder.write(text, to: name)
    }
    _ = try await record()
    for (name, text) in [("page.txt", "a1 k 8"), ("price.txt", "2")] {
      try suite.folder.write(text, to: name)
    }

    let run = try await suite.test("--live")
    let lines = run.errors.split(separator: "\n").filter { $0.contains("volatile") }
    #expect(run.code == .failed)
    #expect(lines.map(String.init) == (advice.map { ["  note: \($0)"] } ?? []))
  }

  @Test(
    arguments: [
      ("volatile: [text], ", ""), ("", ", volatile: {read: [text]}"),
    ])
  func `a changed scenario is named once, without the digests of both`(
    _ step: String, _ component: String
  ) async throws {
    try write("{id: read, uses: n.read}\n  - {id: price, uses: n.price}")
    for name in ["page.txt", "price.txt"] { try suite.folder.write("1", to: name) }
    _ = try await record()
    for name in ["page.txt", "price.txt"] { try suite.folder.write("2", to: name) }
    try write("{id: read, \(step)uses: n.read}\n  - {id: price, uses: n.price}")
    let text = try suite.folder.text("s.yaml")
    try suite.folder.write(
      text.replacing("plugin: notebook", with: "plugin: notebook\(component)"), to: "s.yaml")

    #expect(
      try await suite.test("--live").errors == """
        @/s.yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed price#1, n.price
                  ok.text: recorded "1", now "2"
          note: if it differs in each run, declare 'volatile: [text]' in the step 'price'
          note: if the change is intended, record again with 'flow test --live @/s.yaml --update failed'
        note: '@/s.yaml' has changed since it was recorded

        """)
  }

  @Test(
    arguments: [
      ("value.id", #"{"id":{"$any":"int","example":1},"items":[{"id":2},{"id":3}]}"#),
      (
        "\"value.items[*].id\"",
        #"{"id":1,"items":[{"id":{"$any":"int","example":2}},{"id":{"$any":"int","example":3}}]}"#
      ),
      (
        "\"value.items[1]\"",
        #"{"id":1,"items":[{"id":2},{"$any":"map","example":{"id":3}}]}"#
      ),
      ("value.other", #"{"id":1,"items":[{"id":2},{"id":3}]}"#),
      ("value", nil),
    ] as [(String, String?)])
  func `a part of an answer can be volatile`(_ path: String, _ expected: String?) async throws {
    let value = #"{"id":1,"items":[{"id":2},{"id":3}]}"#
    try write("{id: a, uses: p.echo, with: {value: \(value)}, volatile: [\(path)]}")
    let line = try await record().split(separator: "\n").first { $0.contains(#""a#1","ok""#) }

    let whole = expected ?? #"{"$any":"map","example":\#(value)}"#
    #expect(line.map(String.init) == #"{"at":"a#1","ok":{"value":\#(whole)}}"#)
    #expect(try await suite.test().output.hasPrefix("passed"))
  }

  @Test func `recording again keeps the matchers of a transcript`() async throws {
    try write("{id: read, uses: n.read}")
    try suite.folder.write("page 1", to: "page.txt")
    let written = try await record().unsealed.replacing(
      existing: #""page 1""#, with: ##"{"$match":"^page [0-9]+$","example":"page 1"}"##)
    try suite.folder.write(written, to: "s.transcript.jsonl")
    #expect(try await suite.flow("transcript", "seal", "@/s.transcript.jsonl").code == .passed)
    let sealed = try suite.folder.text("s.transcript.jsonl")

    try suite.folder.write("page 2", to: "page.txt")
    #expect(try await record() == sealed)
    try suite.folder.write("another", to: "page.txt")
    #expect(try await record().contains(#""ok":{"text":"another"}"#))
  }

  @Test func `an old example in which something has to be hidden does not stay`() async throws {
    try write("{id: read, uses: n.read, volatile: [text]}")
    try suite.folder.write("token=abc12345", to: "page.txt")
    _ = try await record()
    try suite.folder.write("flow: 1\nredact: ['token=[a-z0-9]+']\n", to: "flow.yaml")
    try suite.folder.write("token=fgh67890", to: "page.txt")

    #expect(try await record().contains(##""example":"${redacted:1}""##))
  }

  @Test func `a long volatile answer stays as it is, too`() async throws {
    try write("{id: read, uses: n.read, volatile: [text]}")
    try suite.folder.write(String(repeating: "a", count: 10_000), to: "page.txt")
    let recorded = try await record()
    #expect(recorded.contains(##""example":{"$blob":"##))

    try suite.folder.write(String(repeating: "b", count: 10_000), to: "page.txt")
    #expect(try await record() == recorded)
    #expect(try await suite.test().output.hasPrefix("passed"))
  }

  @Test func `keys that begin with a dollar sign change nothing about that`() async throws {
    let value =
      ##"{"$schema":"x","id":1,"items":[{"$ref":"a","id":2}],"other":{"$any":"x","example":"y"}}"##
    try write(
      "{id: a, uses: p.echo, with: {value: \(value)}, "
        + "volatile: [value.id, \"value.items[*].id\", value.other]}")
    let recorded = try await record()

    #expect(recorded.contains(##"["id",{"$any":"int","example":1}]"##))
    #expect(recorded.contains(##"["id",{"$any":"int","example":2}]"##))
    #expect(try await suite.test().output.hasPrefix("passed"))
  }
}
