import TestKit
import Testing

/// Answers of blocks, and the places that may read them.
@Suite struct BlockFactTests {
  private static func problems(_ steps: String) throws -> [String] {
    try ScenarioText.problems(
      ScenarioText.head + "inputs: {a: {type: bool}, b: {type: bool}}\nsteps:\n" + steps)
  }

  private static let underIf = "its step runs under an 'if'; use it under the same condition"

  private static func absent(_ place: String, _ name: String) -> String {
    "\(place): '\(name)' may have no value here [F1311] (\(underIf), or check it with has(\(name)) first)"
  }

  @Test func `the ids of a block are known behind it, and its own answer has no field`() throws {
    let problems = try Self.problems(
      """
        - {id: block, do: [{id: x, uses: p.count}], finally: [{id: y, uses: p.count}]}
        - assert: ["${{ steps.x.value == steps.y.value }}", "${{ steps.block.x == 1 }}"]
      """)

    #expect(problems == ["6:72-73: the record has no field 'x' [F1304] (it has no fields)"])
  }

  @Test func `what one block of an 'if' did is not read in the other one`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a }}
          do: [{id: x, uses: p.count}, {assert: ["${{ steps.x.value == 1 }}"]}]
          else: [{assert: ["${{ steps.x.value == 1 }}"]}, {assert: ["${{ !has(steps.x) }}"]}]
      """)

    #expect(problems == [Self.absent("7:27-34", "steps.x")])
  }

  @Test(arguments: [
    ("inputs.a", "!inputs.a"), ("!inputs.a", "inputs.a"),
    ("inputs.a && inputs.b", "!(inputs.a && inputs.b)"),
    ("inputs.a || inputs.b", "!inputs.a && !inputs.b && !(inputs.a || inputs.b)"),
  ])
  func `what a block did is read where its condition holds, or does not`(
    _ condition: String, _ opposite: String
  ) throws {
    let problems = try Self.problems(
      """
        - if: ${{ \(condition) }}
          do: [{id: x, uses: p.count}]
          else: [{id: y, uses: p.count}]
        - {if: "${{ \(condition) }}", assert: ["${{ steps.x.value == 1 }}"]}
        - {if: "${{ \(opposite) }}", assert: ["${{ steps.y.value == 1 }}"]}
        - assert: ["${{ \(condition) ? steps.x.value == 1 : steps.y.value == 1 }}"]
        - assert: ["${{ has(steps.x) ? steps.x.value == 1 : true }}"]
      """)

    #expect(problems == [])
  }

  @Test func `a condition that is not the same proves nothing`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a || inputs.b }}
          do: [{id: x, uses: p.count}]
          else: [{id: y, uses: p.count}]
        - {if: "${{ inputs.a }}", assert: ["${{ steps.x.value == 1 }}"]}
        - {if: "${{ !inputs.a || inputs.b }}", assert: ["${{ steps.y.value == 1 }}"]}
      """)

    #expect(problems == [Self.absent("8:43-50", "steps.x"), Self.absent("9:56-63", "steps.y")])
  }

  @Test func `under two conditions both must hold`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a }}
          do: [{id: x, if: "${{ inputs.b }}", uses: p.count}]
        - {if: "${{ inputs.a }}", assert: ["${{ steps.x.value == 1 }}"]}
        - {if: "${{ inputs.b }}", assert: ["${{ steps.x.value == 1 }}"]}
        - {if: "${{ inputs.a && inputs.b }}", assert: ["${{ steps.x.value == 1 }}"]}
      """)

    #expect(problems == [Self.absent("7:43-50", "steps.x"), Self.absent("8:43-50", "steps.x")])
  }

  @Test func `a step that may fail under a condition needs has`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a }}
          do: [{id: x, uses: p.count, continue-on-error: true}]
        - if: ${{ inputs.a }}
          assert: ["${{ steps.x.value == 1 }}", "${{ has(steps.x) && steps.x.value == 1 }}"]
      """)

    #expect(
      problems == [
        "8:19-26: 'steps.x' may have no value here [F1311]"
          + " (its step may fail, with 'continue-on-error'; check it with has(steps.x) first)"
      ])
  }

  @Test func `a condition over a name that a loop hides is another one`() throws {
    let problems = try Self.problems(
      """
        - for: i
          in: ${{ [1, 2] }}
          do:
            - {id: x, if: "${{ loop.index == 0 }}", uses: p.count}
            - {id: y, if: "${{ i > 1 }}", uses: p.count}
            - if: ${{ loop.index == 0 && i > 1 }}
              for: j
              in: ${{ [1, 2] }}
              do: [{assert: ["${{ steps.x.value == steps.y.value }}"]}]
            - for: i
              in: ${{ [1, 2] }}
              do: [{if: "${{ loop.index == 0 && i > 1 }}", assert: ["${{ steps.x.value == steps.y.value }}"]}]
            - assert: ["${{ [2].all(i, i > 1 ? steps.y.value == 1 : true) }}"]
      """)

    #expect(
      problems == [
        Self.absent("16:68-75", "steps.x"), Self.absent("16:85-92", "steps.y"),
        Self.absent("17:42-49", "steps.y"),
      ])
  }

  // MARK: - Finally

  private static func uncertain(_ place: String, _ name: String) -> String {
    "\(place): '\(name)' may have no value here [F1311]"
      + " ('finally' also runs after a failure; check it with has(\(name)) first)"
  }

  @Test func `what a block did is uncertain in its 'finally' and certain behind it`() throws {
    let problems = try Self.problems(
      """
        - {id: x, uses: p.count}
        - do: [{id: y, uses: p.count}]
          finally:
            - assert: ["${{ steps.x.value == 1 }}", "${{ steps.y.value == 1 }}"]
            - {if: "${{ has(steps.y) }}", assert: ["${{ steps.y.value == 1 }}"]}
        - assert: ["${{ steps.y.value == 1 }}"]
      """)

    #expect(problems == [Self.uncertain("8:52-59", "steps.y")])
  }

  @Test func `so it is of branches, of both blocks of an 'if', and of blocks inside of blocks`()
    throws
  {
    let problems = try Self.problems(
      """
        - parallel: {a: [{id: x, uses: p.count}], b: [{wait: 0s}]}
          finally: [{assert: ["${{ steps.x.value == 1 }}"]}]
        - do: [{do: [{id: y, uses: p.count}]}]
          finally: [{do: [{assert: ["${{ steps.x.value == steps.y.value }}"]}]}]
        - if: ${{ inputs.a }}
          do: [{id: z, uses: p.count}]
          else: [{id: w, uses: p.count}]
          finally: [{if: "${{ inputs.a }}", assert: ["${{ steps.z.value == 1 }}"]}]
      """)

    #expect(
      problems == [
        Self.uncertain("6:30-37", "steps.x"), Self.uncertain("8:53-60", "steps.y"),
        Self.uncertain("12:53-60", "steps.z"),
      ])
  }

  private static func unset(_ place: String, _ name: String) -> String {
    "\(place): '\(name)' may have no value here [F1311] ('finally' also runs after a failure; "
      + "check a later step with has(steps.ID) first, or set it to a constant before all other steps)"
  }

  @Test func `a later step with an answer proves the steps and variables before it`() throws {
    let problems = try Self.problems(
      """
        - {id: x, uses: p.count}
        - set: {total: "${{ steps.x.value + 1 }}"}
        - parallel: {one: [{id: y, uses: p.count}], two: [{id: z, uses: p.count}]}
        - {id: last, uses: p.count}
      finally:
        - {if: "${{ has(steps.last) }}", assert: ["${{ steps.x.value + total == steps.y.value + steps.z.value }}"]}
        - assert: ["${{ has(steps.z) ? steps.x.value == total : true }}"]
        - {if: "${{ has(steps.z) }}", assert: ["${{ steps.y.value == 1 }}"]}
        - {if: "${{ has(steps.x) }}", assert: ["${{ total == 1 }}", "${{ steps.last.value == 1 }}"]}
        - {if: "${{ !has(steps.last) }}", assert: ["${{ steps.x.value == 1 }}"]}
      """)

    #expect(
      problems == [
        Self.uncertain("12:47-54", "steps.y"), Self.unset("13:47-52", "total"),
        Self.uncertain("13:68-78", "steps.last"), Self.uncertain("14:51-58", "steps.x"),
      ])
  }

  @Test func `a step proves nothing of those that may be skipped, or that ran beside it`() throws {
    let problems = try Self.problems(
      """
        - {id: maybe, if: "${{ inputs.a }}", uses: p.count}
        - {id: tried, uses: p.count, continue-on-error: true}
        - do: [{id: x, uses: p.count}, {id: y, uses: p.count}]
          finally: [{id: z, uses: p.count}]
        - parallel:
            one: [{id: first, uses: p.count}]
            two: {needs: [one], do: [{id: second, uses: p.count}]}
        - {id: last, uses: p.count}
      finally:
        - if: ${{ has(steps.last) }}
          assert: ["${{ steps.maybe.value == 1 }}", "${{ steps.tried.value == 1 }}"]
        - {if: "${{ has(steps.last) }}", assert: ["${{ steps.x.value == steps.z.value }}"]}
        - {if: "${{ has(steps.z) }}", assert: ["${{ steps.y.value == 1 }}"]}
        - {if: "${{ has(steps.second) }}", assert: ["${{ steps.first.value == 1 }}"]}
      """)

    #expect(
      problems == [
        Self.absent("15:19-30", "steps.maybe"),
        "15:52-63: 'steps.tried' may have no value here [F1311] (its step may fail, with"
          + " 'continue-on-error'; check it with has(steps.tried) first)",
        Self.uncertain("17:47-54", "steps.y"),
      ])
  }

  @Test func `a variable is certain in 'finally' if nothing can fail before it is set`() throws {
    let problems = try Self.problems(
      """
        - set: {count: 0, wanted: "${{ inputs.a }}"}
        - set: {later: "${{ count + 1 }}"}
        - {uses: p.count}
        - set: {last: 1}
        - do: [{set: {inner: 1}}, {uses: p.count}, {set: {outer: 2}}]
          finally: [{assert: ["${{ inner == later }}", "${{ outer == last }}"]}]
      finally:
        - assert: ["${{ count == 0 && wanted }}", "${{ later == 1 }}", "${{ last == 1 }}"]
        - set: {last: 2}
        - assert: ["${{ last == 2 }}", "${{ inner == 1 }}"]
      outputs: {last: "${{ last + inner + outer }}"}
      """)

    #expect(
      problems == [
        Self.unset("10:55-60", "outer"), Self.unset("12:50-55", "later"),
        Self.unset("12:71-75", "last"), Self.unset("14:39-44", "inner"),
      ])
  }

  @Test func `the 'finally' of a loop does not see its steps, and its ids are known behind it`()
    throws
  {
    let problems = try Self.problems(
      """
        - for: i
          in: ${{ [1] }}
          do: [{id: x, uses: p.count}]
          finally: [{id: y, uses: p.count}, {assert: ["${{ steps.x.value == 1 }}"]}]
        - assert: ["${{ steps.y.value == 1 }}"]
      """)

    #expect(
      problems == [
        "8:60-61: the step 'x' on line 7 is inside a loop and cannot be read outside it [F1314]"
          + " (list the value in the 'outputs' of the loop)"
      ])
  }

  @Test func `a variable set again has its value only after that`() throws {
    let problems = try Self.problems(
      """
        - {id: x, uses: p.count}
        - {if: "${{ inputs.a }}", set: {t: 1}}
        - do: [{id: y, uses: p.count}, {set: {t: 2}}, {id: z, uses: p.count}]
          finally:
            - assert: ["${{ t == 2 }}"]
            - {if: "${{ has(steps.y) }}", assert: ["${{ t == 2 }}"]}
            - {if: "${{ has(steps.z) }}", assert: ["${{ t == 2 }}"]}
        - assert: ["${{ t == 2 }}"]
      finally:
        - {if: "${{ has(steps.x) || has(steps.y) }}", assert: ["${{ t == 2 }}"]}
        - {if: "${{ has(steps.z) && steps.x.value == 1 }}", assert: ["${{ t == 2 }}"]}
      """)

    #expect(
      problems == [
        Self.unset("9:23-24", "t"), Self.unset("10:51-52", "t"), Self.unset("14:63-64", "t"),
      ])
  }

  @Test func `both blocks of an 'if' set a variable before the steps after it`() throws {
    let problems = try Self.problems(
      """
        - {if: "${{ inputs.b }}", set: {t: 1}}
        - if: ${{ inputs.a }}
          do: [{id: x, uses: p.count}, {set: {t: 1}}]
          else: [{set: {t: 2}}]
        - {id: y, uses: p.count}
      finally:
        - {if: "${{ has(steps.x) }}", assert: ["${{ t == 1 }}"]}
        - {if: "${{ has(steps.y) }}", assert: ["${{ t == 1 }}"]}
      """)

    #expect(problems == [Self.unset("11:47-48", "t")])
  }

  @Test func `a later step of the same block proves what its condition would`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a }}
          do:
            - {id: x, uses: p.count}
            - {id: maybe, if: "${{ inputs.b }}", uses: p.count}
            - {id: y, uses: p.count}
        - {if: "${{ has(steps.y) }}", assert: ["${{ steps.x.value == 1 }}"]}
        - {if: "${{ has(steps.x) }}", assert: ["${{ steps.y.value == 1 }}"]}
        - {if: "${{ has(steps.y) }}", assert: ["${{ steps.maybe.value == 1 }}"]}
        - continue-on-error: true
          do: [{id: z, uses: p.count}, {id: last, uses: p.count}]
        - {if: "${{ has(steps.last) }}", assert: ["${{ steps.z.value == 1 }}"]}
      """)

    #expect(
      problems == [Self.absent("11:47-54", "steps.y"), Self.absent("12:47-58", "steps.maybe")])
  }

  @Test(arguments: [
    ("has(steps.last)", true), ("steps.?last.hasValue()", true), ("!has(steps.last)", false),
    ("has(steps.last) && v > 0", true), ("v > 0 && inputs.a && has(steps.last)", true),
    ("has(steps.last) || v > 0", false), ("has(steps.x) || has(steps.last)", false),
    ("!(!has(steps.last) || v > 0)", true), ("has(steps.last.value)", false),
  ])
  func `a condition proves the steps before one that it finds, whatever else it reads`(
    _ condition: String, _ proves: Bool
  ) throws {
    let problems = try Self.problems(
      """
        - set: {v: 1}
        - {id: x, uses: p.count}
        - {id: y, uses: p.count}
        - {id: last, uses: p.count}
      finally:
        - if: "${{ \(condition) }}"
          for: n
          in: [1]
          do: [{assert: ["${{ steps.y.value == n }}"]}]
      """)

    #expect(
      problems.filter { $0.contains("'steps.y'") }
        == (proves ? [] : [Self.uncertain("13:25-32", "steps.y")]))
  }
}
