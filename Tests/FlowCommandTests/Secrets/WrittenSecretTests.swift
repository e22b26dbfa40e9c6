import TestKit
import Testing

/// Secrets written in a scenario, around expressions and inside of them, which no command shows.
@Suite struct WrittenSecretTests {
  private static let long = String(repeating: "long-secret ", count: 12) + "end"
  private static let scenario = """
    flow: 1
    name: Keeping
    inputs: {env: {type: string, default: prod}}
    components:
      k: {plugin: keeper, with: {password: "Sup3r-${{ inputs.env }}"}}
      short: {plugin: keeper, with: {password: "ab-${{ inputs.env }}-c"}}
      literal: {plugin: keeper, with: {password: "${{ 'hunter' + inputs.env }}"}}
      long: {plugin: keeper, with: {password: \(long)}}
      plain: {plugin: keeper, with: {password: "${{ inputs.env }}"}}
    steps:
      - {uses: k.sign, with: {key: "key-${{ inputs.env }}"}}
      - {uses: short.asked}
      - {uses: literal.asked}
      - {uses: long.asked}
      - {uses: plain.asked}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func flow(_ arguments: String..., scenario: String) async throws -> FlowCommandRun {
    try folder.write(scenario, to: "s.yaml")
    return try await FlowCommandRun(arguments, in: folder, components: [Keeper.self])
  }

  @Test func `a secret setting that is given to an operation is not shown`() async throws {
    let run = try await flow(
      "check", "@/s.yaml",
      scenario: """
        flow: 1
        components: {k: {plugin: keeper, with: {password: "hunter2-pw"}}}
        steps: [{uses: k.sign, with: {key: abcd, password: hunter4-pw}}]

        """)

    #expect(
      run.errors == """
        @/s.yaml:3:42: error: 'k.sign' has no field 'password' [F1204]
            3 | steps: [{uses: k.sign, with: {key: ****, password: **********}}]
              |                                          ^^^^^^^^
          note: fields: key
          note: 'password' is a setting; write it under 'with' of the component 'k'

        """)
  }

  @Test func `a dry run has placeholders for what is written in secret fields`() async throws {
    let run = try await flow("run", "--dry-run", "@/s.yaml", scenario: Self.scenario)

    #expect(
      run.output == #"""
        Keeping
        inputs:
          env: "prod"
        components:
          k: keeper {password: "${secret:k.password}", fails: false}
          short: keeper {password: "${secret:short.password}", fails: false}
          literal: keeper {password: "${secret:literal.password}", fails: false}
          long: keeper {password: "${secret:long.password}", fails: false}
          plain: keeper {password: ${{ inputs.env }}, fails: false}
        steps:
          k.sign
            uses: k.sign {key: "${secret:k.key}"}
          short.asked
            uses: short.asked
          literal.asked
            uses: literal.asked
          long.asked
            uses: long.asked
          plain.asked
            uses: plain.asked

        """#)
    #expect(run.errors == "")
  }

  @Test(arguments: [
    "Sup3r-${{ inputs.env }}", "ab-${{ inputs.env }}", "${{ 'hunter' + inputs.env }}",
  ]) func `a problem in the same line does not quote it`(_ password: String) async throws {
    let text = """
      flow: 1
      inputs: {env: {type: string, default: prod}}
      components:
        k: {plugin: keeper, with: {ask: 1, password: "\(password)"}}
      steps: []

      """
    let run = try await flow("check", "@/s.yaml", scenario: text)
    let stars = String(repeating: "*", count: password.count)

    #expect(
      run.errors == """
        @/s.yaml:4:30: error: 'k' has no field 'ask'; did you mean 'asks'? [F1204]
            4 |   k: {plugin: keeper, with: {ask: 1, password: "\(stars)"}}
              |                              ^^^

        """)
  }

  @Test(arguments: [
    "Sup3r-${{ inputs.env }}", "ab-${{ inputs.env }}", "${{ 'hunter' + inputs.env }}",
  ]) func `a warning in the same line does not quote it`(_ password: String) async throws {
    let text = """
      flow: 1
      inputs: {env: {type: string, default: prod}}
      components:
        k: {plugin: keeper, with: {password: "\(password)"}}
      steps: [{wait: 0s}]

      """
    let run = try await flow("check", "--strict", "@/s.yaml", scenario: text)
    let stars = String(repeating: "*", count: password.count)

    #expect(
      run.errors == """
        @/s.yaml:4:3: warning: the component 'k' is never used [F1503]
            4 |   k: {plugin: keeper, with: {password: "\(stars)"}}
              |   ^

        """)
  }

  @Test func `a failure in the same line does not quote it`() async throws {
    let step = #"{uses: k.sign, with: {key: "key-${{ inputs.env }}"}"#
    let text = Self.scenario.replacing(step, with: step + #", expect: {text: "no"}"#)
    let run = try await flow("run", "@/s.yaml", scenario: text)

    #expect(run.errors.contains("'k.sign#1' did not answer as expected"))
    #expect(!run.errors.contains("key-"), "\(run.errors)")
  }

  @Test func `a secret beside 'with' is not quoted either`() async throws {
    let text = Self.scenario.replacing(
      #"with: {password: "Sup3r-${{ inputs.env }}"}"#, with: "password: hunter22")
    let run = try await flow("check", "@/s.yaml", scenario: text)

    #expect(run.errors.contains("unknown key 'password' in the component 'k'"))
    #expect(!run.errors.contains("hunter22"))
  }

  @Test(arguments: [true, false])
  func `a file in UTF-16 is quoted as text, without its secrets`(
    _ isLittleEndian: Bool
  ) async throws {
    let settings = "{password: hunter22, ask: ä}"
    let text = "flow: 1\ncomponents:\n  k: {plugin: keeper, with: \(settings)}\nsteps: []\n"
    try folder.write(
      ("\u{FEFF}" + text).utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isLittleEndian ? [low, high] : [high, low]
      }, to: "wide.yaml")
    let run = try await flow("check", "@/wide.yaml", scenario: "")

    #expect(
      run.errors == """
        @/wide.yaml:3:50: error: 'k' has no field 'ask'; did you mean 'asks'? [F1204]
            3 |   k: {plugin: keeper, with: {password: ********, ask: ä}}
              |                                                  ^^^

        """)
  }
}
