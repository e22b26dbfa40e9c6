import FlowPlan
import FlowReport
import FlowScenario
import TestKit
import Testing

/// The plan of a run, as a person reads it.
@Suite struct PlanTreeTests {
  @Test func `a tree shows every kind of step with all that it has`() throws {
    let tree = try tree(EveryStep.scenario, inputs: [("amount", "30")])

    #expect(tree == Self.everyStep)
  }

  /// Two steps with the same file, which runs another.
  static let nested = """
    flow: 1
    name: Two of them
    steps:
      - {id: first, scenario: a.yaml, with: {x: 1}}
      - {id: second, scenario: a.yaml, with: {x: "${{ steps.first.y }}"}}
      - {assert: ["${{ steps.second.y == 1 }}"]}
    """
  static let nestedFiles = [
    "a.yaml": """
    flow: 1
    inputs: {x: {type: int}}
    components: {p: {plugin: probe}}
    steps: [{scenario: b.yaml}, {id: echo, uses: p.count}]
    finally: [{uses: p.crash}]
    outputs: {y: "${{ inputs.x }}"}
    """,
    "b.yaml": "flow: 1\nsteps: [{wait: 1s}]",
  ]

  @Test func `another scenario is written once, inside of the first step that runs it`() throws {
    let plan = try ProbeRun.plan(Self.nested, files: Self.nestedFiles)

    #expect(
      PlanTree(plan, inputs: []).text == """
        Two of them
        steps:
          first
            scenario: a.yaml {x: 1}
              components:
                p: probe {start: 0}
              steps:
                first/scenario
                  scenario: b.yaml
                    steps:
                      first/scenario/wait
                        wait: 1s
                first/echo
                  uses: p.count {by: 1}
              finally:
                first/finally/p.crash
                  uses: p.crash
              outputs:
                y: ${{ inputs.x }}
          second
            scenario: a.yaml {x: ${{ steps.first.y }}}, as above
          assert
            assert:
              ${{ steps.second.y == 1 }}

        """)
  }

  private static let everyStep = #"""
    Every step
    inputs:
      amount: 30
      many: true
    components:
      p: probe {start: 3, title: "from ${{ inputs.amount }}"}
    steps:
      first (Count once)
        uses: p.count {by: 1}
        expect: {value: 4}
      p.fail
        uses: p.fail {code: "refused"}
        expect: {error: refused}
      echo
        if: ${{ inputs.many }}
        retry: {attempts: 3, backoff: 0.5s, factor: 2.0, max: 10s, jitter: 0.5}
        timeout: 2s
        continue-on-error: true
        uses: p.echo {value: {text: "is ${{ steps.first.value }}", all: [1, ${{ inputs.amount }}], "a key": null}}
        expect: {value: {all: [1, ${{ inputs.amount }}]}}
      turns
        timeout: 60s
        repeat: until ${{ steps.turn.value > 8 }}, limit 5
        do:
          turns/turn
            retry: {attempts: 2, on: [too-many]}
            uses: p.count {by: ${{ loop.index }}}
        outputs:
          values: ${{ steps.turn.value }}
      for
        for: x in ${{ steps.turns.values }}
        do:
          for/set
            set:
              total: 0
              next: ${{ x + 1 }}
          for/wait
            if: ${{ x > 1 }}
            wait: 0.01s
      assert
        assert:
          ${{ steps.turns.values.size() > 0 }}
          ${{ steps.first.value == 4 }}
      together (At the same time)
        parallel:
          late (needs quick, events):
            together/late/assert
              assert:
                ${{ steps.one.value < steps.more.value }}
          quick:
            together/quick/one
              uses: p.count {by: 1}
          events:
            together/events/more
              timeout: 5s
              await: p.counted
              where: ${{ event.value > 3 }}
            together/events/wait
              wait: 1s
        fail-fast: false
        finally:
          together/finally/p.echo
            if: ${{ has(steps.one) }}
            uses: p.echo {value: ${{ steps.one }}}
      do
        timeout: 10s
        if: ${{ inputs.many }}
        do:
          do/two
            uses: p.count {by: 1}
        else:
          do/else/three
            uses: p.random
          do/else/wait
            wait: 2s
      do[2]
        if: ${{ inputs.many }}
        do:
          do[2]/p.echo
            uses: p.echo {value: ${{ steps.two.value }}}
      for[2]
        for: y in ${{ [1, 2, 3] }}
        parallel: 2
        fail-fast: false
        do:
          for[2]/p.count
            uses: p.count {by: ${{ y }}}
      set
        set:
          rest: 3
      repeat
        repeat: while ${{ rest > 0 }}, limit 9
        do:
          repeat/set
            set:
              rest: ${{ rest - 1 }}
        finally:
          repeat/finally/p.count
            uses: p.count {by: 1}
    finally:
      finally/p.crash
        uses: p.crash
    outputs:
      count: ${{ steps.first.value }}
      kind: "probe"

    """#

  @Test func `the same plan gives the same tree`() throws {
    #expect(try tree(EveryStep.scenario) == tree(EveryStep.scenario))
  }

  @Test func `a scenario without a name is called by its file, and empty parts are left out`()
    throws
  {
    let tree = try tree(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.random}]")

    #expect(
      tree == """
        test.yaml
        components:
          p: probe {start: 0}
        steps:
          p.random
            uses: p.random

        """)
  }

  @Test func `names and values cannot break a line, and long ones are shortened`() throws {
    let long = String(repeating: "x", count: 1_000)
    let tree = try tree(
      #"""
      flow: 1
      name: "a\n\e[31mb\u202E"
      components: {p: {plugin: probe}}
      steps:
        - {set: {t: b}}
        - {name: "\#(long)", uses: p.echo, with: {value: "\#(long)"}}
        - {uses: p.echo, with: {value: "\#(long)${{ t == 'a\tb' }}"}}
      """#)

    #expect(
      tree == #"""
        a\n\u{1b}[31mb\u{202e}
        components:
          p: probe {start: 0}
        steps:
          set
            set:
              t: "b"
          p.echo (\#(long.prefix(119))…)
            uses: p.echo {value: "\#(long.prefix(78))…}
          p.echo[2]
            uses: p.echo {value: "\#(long.prefix(79))…${{ t == 'a\tb' }}"}

        """#)
  }

  @Test func `a line with very many values ends in an ellipsis`() throws {
    let values = (0..<200).map { "a\($0): \"${{ loop1 }}\"" }.joined(separator: ", ")
    let tree = try tree(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{set: {loop1: 1}}, {uses: p.echo, with: {value: {\(values)}}}]
      """)

    let longest = tree.split(separator: "\n").map { $0.unicodeScalars.count }.max()
    #expect(longest == 404)
    #expect(tree.hasSuffix("…\n"))
  }

  private func tree(_ text: String, inputs: [(name: String, text: String)] = []) throws -> String {
    let plan = try ProbeRun.plan(text)
    return PlanTree(plan, inputs: try plan.inputValues(texts: inputs)).text
  }
}
