import FlowCore
import FlowExpression
import FlowPlan
import TestKit
import Testing

@testable import FlowEngine

/// The origins of values that failures print.
@Suite struct OriginFinderTests {
  private struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var files: [String: String] = [:]
    let notes: [String]
  }

  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\n"

  /// The notes and the circumstances of the failures of steps, which start at line 4.
  private static func notes(_ steps: String, files: [String: String] = [:]) async throws -> [String]
  {
    let run = try await ProbeRun(head + "steps:\n" + steps, files: files)
    return run.result.diagnostics.flatMap { $0.notes + $0.context }
  }

  private static let samples = [
    Sample(
      testDescription: "an answer",
      steps: """
        - {id: a, uses: p.echo, with: {value: {price: 12.50}}}
        - assert: ["${{ steps.a.value.price == 13.00 }}"]
        """,
      notes: ["steps.a.value.price is 12.50, from line 4"]),
    Sample(
      testDescription: "a variable of variables",
      steps: """
        - {id: a, uses: p.echo, with: {value: {price: 12.50}}}
        - set:
            fee: 2.50
            price: "${{ steps.a.value.price }}"
        - set: {total: "${{ price + fee }}"}
        - assert: ["${{ total * 2 == 31.00 }}"]
        """,
      notes: [
        "total * 2 is 30.00, from total (15.00)",
        "  total (15.00), set at line 8 from price (12.50) and fee (2.50)",
        "  price (12.50), set at line 7 from steps.a.value.price (12.50) at line 4",
        "  fee (2.50), set at line 6",
      ]),
    Sample(
      testDescription: "an expected value",
      steps: """
        - {id: a, uses: p.echo, with: {value: 13.00}}
        - set: {total: "${{ steps.a.value * 2 }}"}
        - {uses: p.echo, with: {value: 25.00}, expect: {value: "${{ total }}"}}
        """,
      notes: [
        "value: expected 26.00, got 25.00",
        "total is 26.00, set at line 5 from steps.a.value (13.00) at line 4",
        "input: {value: 25.00}", "answer: {value: 25.00}",
      ]),
    Sample(
      testDescription: "the input of a failed call",
      steps: """
        - {id: a, uses: p.echo, with: {value: 101}}
        - set: {by: "${{ int(steps.a.value) }}"}
        - {uses: p.count, with: {by: "${{ by }}"}}
        """,
      notes: [
        "101 is more than 100", "input: {by: 101}",
        "  by: by (101), set at line 5 from steps.a.value (101) at line 4",
      ]),
    Sample(
      testDescription: "the last iteration of a loop",
      steps: """
        - set: {total: 0}
        - for: item
          in: "${{ [3, 5] }}"
          do:
            - {id: e, uses: p.echo, with: {value: "${{ item }}"}}
            - set: {total: "${{ total + int(steps.e.value) }}"}
        - assert: ["${{ total == 9 }}"]
        """,
      notes: [
        "total is 8, set at line 9 in iteration 2 from total (3) and steps.e.value (5) at line 8",
        "  total (3), set at line 9 in iteration 1 from total (0) and steps.e.value (3) at line 8",
        "  total (0), set at line 4",
      ]),
    Sample(
      testDescription: "an element of an answered list",
      steps: """
        - {id: l, uses: p.echo, with: {value: [{n: 1}, {n: 200}]}}
        - set: {rows: "${{ steps.l.value }}"}
        - for: row
          in: "${{ rows }}"
          do: [{uses: p.count, with: {by: "${{ int(row.n) }}"}}]
        """,
      notes: [
        "200 is more than 100", "input: {by: 200}",
        "  by: row.n (200), element 2 at line 7 from rows[1].n (200)",
        "    rows[1].n (200), set at line 5 from steps.l.value[1].n (200) at line 4",
        "in 'for', iteration 2: row is {n: 200}",
      ]),
    Sample(
      testDescription: "an output of a loop",
      steps: """
        - id: l
          for: i
          in: [4, 5]
          do: [{id: e, uses: p.echo, with: {value: "${{ i * 10 }}"}}]
          outputs: {n: "${{ steps.e.value }}"}
        - assert: ["${{ steps.l.n[1] == 40 }}"]
        """,
      notes: [
        "steps.l.n[1] is 50, output at line 8 in iteration 2 from steps.e.value (50) at line 7"
      ]),
    Sample(
      testDescription: "an included scenario",
      steps: """
        - set: {net: 10}
        - {id: s, scenario: sub.yaml, with: {net: "${{ net }}"}}
        - assert: ["${{ steps.s.gross == 13 }}"]
        """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {net: {type: int}}
        components: {p: {plugin: probe}}
        steps:
          - {id: tax, uses: p.count, with: {by: 2}}
          - set: {gross: "${{ inputs.net + steps.tax.value }}"}
        outputs: {gross: "${{ gross }}"}
        """
      ],
      notes: [
        "steps.s.gross is 12, output at line 7 of sub.yaml from gross (12)",
        "  gross (12), set at line 6 of sub.yaml from inputs.net (10)"
          + " and steps.tax.value (2) at line 5 of sub.yaml",
        "  inputs.net (10), given at line 5 from net (10)",
        "  net (10), set at line 4",
      ]),
    Sample(
      testDescription: "a failure in an included scenario",
      steps: """
        - {id: a, uses: p.count, with: {by: 2}}
        - {scenario: sub.yaml, with: {net: "${{ steps.a.value }}"}}
        """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {net: {type: int}}
        steps: [{assert: ["${{ inputs.net == 3 }}"]}]
        """
      ],
      notes: [
        "inputs.net is 2, given at line 5 of test.yaml"
          + " from steps.a.value (2) at line 4 of test.yaml",
        "included from test.yaml:5:14",
      ]),
    Sample(
      testDescription: "branches, the later ones reading the earlier ones",
      steps: """
        - parallel:
            a: [{id: x, uses: p.count, with: {by: 2}}, {set: {n: "${{ steps.x.value * 2 }}"}}, {assert: ["${{ n == 4 }}"]}]
            b: {needs: [a], do: [{id: y, uses: p.echo, with: {value: "${{ steps.x.value }}"}}]}
        - assert: ["${{ steps.y.value == 3 && steps.x.value == 2 }}"]
        """,
      notes: [
        "steps.y.value is 2, from line 6", "steps.x.value is 2, from line 5",
      ]),
    Sample(
      testDescription: "a branch with branches",
      steps: """
        - parallel:
            a:
              - {id: s, scenario: sub.yaml, with: {net: 4}}
              - {for: i, in: [1, 2], parallel: 2, do: [{set: {y: "${{ i }}"}}]}
            b: [{set: {z: 1}}]
        - assert: ["${{ steps.s.gross == 3 }}"]
        """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {net: {type: int}}
        steps: [{set: {gross: "${{ inputs.net + 1 }}"}}]
        outputs: {gross: "${{ gross }}"}
        """
      ],
      notes: [
        "steps.s.gross is 5, output at line 4 of sub.yaml from gross (5)",
        "  gross (5), set at line 3 of sub.yaml from inputs.net (4)",
      ]),
    Sample(
      testDescription: "an output of an iteration that no loop has",
      steps: """
        - id: l
          for: i
          in: [4, 5]
          do: [{wait: 0s}]
          outputs: {n: "${{ i }}"}
        - set: {q: "${{ steps.l.n.size() == 7 ? steps.l.n[9223372036854775807] : 1 }}"}
        - assert: ["${{ q == 3 }}"]
        """,
      notes: [
        "q is 1, set at line 9 from steps.l.n ([4, 5]) at line 4 and"
          + " steps.l.n[9223372036854775807] at line 4"
      ]),
    Sample(
      testDescription: "only the attempt that passed",
      steps: """
        - set: {n: 0}
        - retry: {attempts: 2, backoff: 1ms}
          do:
            - {id: c, uses: p.count}
            - set: {n: "${{ n + steps.c.value }}"}
            - assert: ["${{ steps.c.value == 2 }}"]
        - assert: ["${{ n == 9 }}"]
        """,
      notes: [
        "n is 2, set at line 8 from n (0) and steps.c.value (2) at line 7",
        "  n (0), set at line 4",
      ]),
    Sample(
      testDescription: "the error of a step",
      steps: """
        - {id: a, uses: p.count, with: {by: 101}, continue-on-error: true}
        - assert: ["${{ steps.a.error.code == 'refused' }}"]
        """,
      notes: [#"steps.a.error.code is "too-many", from line 4"#]),
    Sample(
      testDescription: "an expression without a value",
      steps: """
        - {id: a, uses: p.echo, with: {value: {n: 0}}}
        - set: {n: "${{ int(steps.a.value.n) }}"}
        - set: {part: "${{ 10 / n }}"}
        """,
      notes: [
        "n (0), set at line 5 from steps.a.value.n (0) at line 4"
      ]),
    Sample(
      testDescription: "the limit of a loop",
      steps: """
        - set: {n: 0}
        - repeat: {until: "${{ n > 5 }}", limit: 2}
          do: [{set: {n: "${{ n + 1 }}"}}]
        """,
      notes: [
        "'until' was false after each iteration",
        "n is 2, set at line 6 from n (1)",
        "  n (1), set at line 6 in iteration 1 from n (0)",
        "  n (0), set at line 4",
      ]),
    Sample(
      testDescription: "a text around expressions",
      steps: """
        - {id: a, uses: p.echo, with: {value: "x"}}
        - {uses: p.echo, with: {value: y}, expect: {value: "${{ steps.a.value }}!"}}
        """,
      notes: [
        #"value: expected "x!", got "y""#, #"steps.a.value is "x", from line 4"#,
        #"input: {value: "y"}"#, #"answer: {value: "y"}"#,
      ]),
    Sample(
      testDescription: "a long value that is no longer known once its iteration is over",
      steps: """
        - set: {n: 0}
        - for: i
          in: [1]
          do:
            - {id: e, uses: p.echo, with: {value: "${{ lists.range(300) }}"}}
            - set: {n: "${{ size(steps.e.value) }}"}
        - assert: ["${{ n == 1 }}"]
        """,
      notes: [
        "n is 300, set at line 9 in iteration 1 from steps.e.value at line 8"
      ]),
  ]

  @Test(arguments: samples)
  private func `a failure tells the origins of its values`(_ sample: Sample) async throws {
    #expect(try await Self.notes(sample.steps, files: sample.files) == sample.notes)
  }

  @Test func `of thirty steps the twenty-seventh fails, and the fifth is named`() async throws {
    var steps = (1...30).map { "- {id: s\($0), uses: p.echo, with: {value: \($0)}}" }
    steps[4] = "- {id: load, uses: p.echo, with: {value: {items: [{price: 12.50}, {price: 1.25}]}}}"
    steps[9] = #"- set: {price: "${{ steps.load.value.items[0].price }}"}"#
    steps[19] = #"- set: {total: "${{ decimal(price) * 2 }}"}"#
    steps[26] = #"- assert: ["${{ total == 26.00 }}"]"#

    let run = try await ProbeRun(Self.head + "steps:\n" + steps.joined(separator: "\n"))

    #expect(
      run.failures == """
        test.yaml:30:17: error: 'assert#1': assertion failed [F2004]
           30 | - assert: ["${{ total == 26.00 }}"]
              |                 ^^^^^^^^^^^^^^
          note: total is 25.00, set at line 23 from price (12.50)
                price (12.50), set at line 13 from steps.load.value.items[0].price (12.50) at line 8

        """)
  }

  @Test func `whatever is made of a secret is hidden, also in an included scenario`() async throws {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {pin: {type: string, secret: true}}
      components: {p: {plugin: probe}}
      steps:
        - set: {back: "${{ inputs.pin.reverse() }}"}
        - {id: s, scenario: sub.yaml, with: {text: "${{ back }}"}}
        - {uses: p.echo, with: {value: 1}, expect: {value: "${{ steps.s.size }}"}}
      """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {text: {type: string}}
        steps: [{set: {n: "${{ size(inputs.text) }}"}}]
        outputs: {size: "${{ n }}"}
        """
      ])

    let report = await Session(of: plan, options: .init(in: Directory(".")))
      .run(inputs: [.string("s3cr3t-word")])

    #expect(
      report.diagnostics.first?.notes == [
        #"value: expected "${secret:pin}", got 1"#,
        "steps.s.size is ${secret:pin}, output at line 4 of sub.yaml from n (${secret:pin})",
        "  n (${secret:pin}), set at line 3 of sub.yaml from inputs.text (${secret:pin})",
        "  inputs.text (${secret:pin}), given at line 6 from back (${secret:pin})",
        "  back (${secret:pin}), set at line 5 from inputs.pin (${secret:pin})",
      ])
  }

  @Test func `an accumulator of many iterations keeps and tells only the last ones`() async throws {
    let notes = try await Self.notes(
      """
      - set: {n: 0}
      - repeat: {until: "${{ loop.index == 4999 }}", limit: 5000}
        do: [{set: {n: "${{ n + 1 }}"}}]
      - assert: ["${{ n == 0 }}"]
      """)

    #expect(notes.count == 10)
    #expect(notes[0] == "n is 5000, set at line 6 in iteration 5000 from n (4999)")
    #expect(notes[8] == "  n (4992), set at line 6 in iteration 4992 from n (4991)")
    #expect(notes[9] == "  …")
  }

  @Test func `nothing stays of an explanation`() async throws {
    let plan = try ProbeRun.plan(Self.head + "steps: [{set: {n: 1}}]")
    weak var scenario: OriginScenario?
    do {
      let moment = OriginMoment(
        OriginScope(
          plan: plan, address: Address(path: "set"), activation: Activation(),
          assignments: Assignments(), parent: nil))
      scenario = moment.scenario
      #expect(scenario != nil)
    }

    #expect(scenario == nil)
  }

  @Test func `the list of assignments stays short, and a branch shares it`() {
    var assignments = Assignments()
    for number in 0..<3_000 {
      let address = Address(path: "a", iterations: [number])
      assignments.add(.init(slot: nil, part: 0, address: address, values: []))
    }
    let branch = assignments.branched()

    #expect(assignments.entries.count < 1_000)
    #expect(branch.entries.map(\.address) == assignments.entries.map(\.address))
    #expect(branch.entries.last?.address.iterations == [2_999])
  }
}
