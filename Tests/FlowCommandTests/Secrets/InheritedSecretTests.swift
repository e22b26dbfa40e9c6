import TestKit
import Testing

/// Secrets of a run that programs started by a scenario can read.
@Suite struct InheritedSecretTests {
  @Test func `a program inherits no variable that a secret was read from`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {pass_word: {type: string, secret: true}}
      components: {p: {plugin: process}}
      steps:
        - id: plain
          uses: p.run
          with: {argv: ['echo "$pass_word,$FLOW_SECRET_OTHER,$SHOWN"'], shell: true}
        - id: handed
          uses: p.run
          with: {argv: ['echo "${#pass_word}"'], shell: true, env: {pass_word: "${{ inputs.pass_word }}"}}
      outputs: {plain: "${{ steps.plain.stdout }}", handed: "${{ steps.handed.stdout }}"}

      """, to: "s.yaml")

    let run = try BuiltFlow(
      "SHOWN=yes FLOW_SECRET_OTHER=opensesame pass_word=swordfish "
        + "\"$0\" run s.yaml --secret pass_word", in: folder)

    #expect(run.output.contains(#"plain: ",,yes\n""#))
    #expect(run.output.contains(#"handed: "9\n""#))
  }
}
