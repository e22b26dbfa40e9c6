import FlowCommand
import FlowCore
import TestKit
import Testing

/// Live runs of generated scenarios, which compute later inputs from a volatile answer.
@Suite struct LiveComparisonTests {
  /// Expressions of a string over a volatile string, `@`.
  private static let functions = [
    "@", "@.trim()", "'id-' + @", "@.upperAscii()", "@.reverse()", "string(@.size())",
    "@.substring(@.size() / 2)", "@.replace('a', 'bb')", "@.split('-').join('/')", "@.charAt(0)",
    "@.contains('7') ? 'seven' : 'none'", "string(@.indexOf('-'))", "'/items/' + @ + '?page=2'",
    "@.split('-').map(x, x.reverse()).join(',')", "string(@.size() * 1000 % 7)",
    "@.split('-').sort().join()", "strings.quote(@)", "@ < 'm' ? @ : 'other'",
    "base64.encode(bytes(@))", "string(@.split('-').size()) + @",
  ]

  /// A scenario with a volatile answer, a fixed one, and calls whose inputs follow from the first.
  private static func scenario(_ random: inout SplitMix) -> String {
    let names = (0..<Int(random.next() % 4 + 2)).map { "v\($0)" }
    var steps = """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: token, uses: n.read, volatile: [text]}
        - {id: price, uses: n.price}
        - set: {v: "${{ steps.token.text }}"}

      """
    var last = "v"
    for name in names {
      let function = functions[Int(random.next() % UInt64(functions.count))]
      // A chain: each value is computed from the one before it, or from the answer.
      let source = random.next() % 2 == 0 ? last : "steps.token.text"
      let expression = function.split(separator: "@", omittingEmptySubsequences: false).joined(
        separator: source)
      steps += "  - set: {\(name): \"${{ \(expression) }}\"}\n"
      steps += "  - {uses: p.echo, with: {value: \"${{ \(name) }}\"}}\n"
      last = name
    }
    let limit = random.next() % 30
    steps += """
        - if: "${{ \(last).size() > \(limit) }}"
          do: [{uses: p.echo, with: {value: "${{ \(last) }}"}}]
        - for: part
          in: "${{ steps.token.text.split('-') }}"
          do: [{uses: p.echo, with: {value: "${{ part }}"}}]

      """
    return steps
  }

  private static func token(_ random: inout SplitMix) -> String {
    (0..<Int(random.next() % 4 + 1)).map { _ in
      String(random.next(), radix: 36).prefix(Int(random.next() % 9 + 1))
    }.joined(separator: "-")
  }

  @Test(arguments: 0..<20)
  func `no difference is false, and each changed answer is found`(_ seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    for _ in 0..<10 {
      let suite = try SuiteFolder()
      let scenario = Self.scenario(&random)
      try suite.folder.write(scenario, to: "s.yaml")
      try suite.folder.write(Self.token(&random), to: "page.txt")
      try suite.folder.write("100", to: "price.txt")
      let recorded = try await suite.flow("run", "@/s.yaml", "--record")
      try #require(recorded.code == .passed, "\(scenario)\(recorded.errors)")

      try suite.folder.write(Self.token(&random), to: "page.txt")
      let same = try await suite.flow("test", "--live", "@/s.yaml")
      #expect(same.errors == "", "\(scenario)")

      try suite.folder.write("200", to: "price.txt")
      let changed = try await suite.flow("test", "--live", "@/s.yaml")
      #expect(
        changed.errors.hasPrefix(
          """
          @/s.yaml: error: the components differ from the transcript [F3009]
            note: calls
                  changed price#1, n.price
                    ok.text: recorded "100", now "200"
            note: if it differs in each run, declare 'volatile: [text]' in the step 'price'
            note: if the change

          """.dropLast()), "\(scenario)\(changed.errors)")
    }
  }
}

/// Numbers of a seed, by SplitMix64.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
