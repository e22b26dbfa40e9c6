import FlowCore
import FlowSystem
import TestKit
import Testing

/// The debugger as a program: scripts through a pipe, and interruptions.
@Suite struct DebugProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {balance: {plugin: balance, with: {opening: 100.00}}}
      steps:
        - {id: opening, uses: balance.load}
        - set: {rest: "${{ steps.opening.balance - 12.50 }}"}
        - {assert: "${{ rest == 88.00 }}"}

      """, to: "rest.yaml")
  }

  @Test func `a script goes through a recording`() throws {
    let run = try BuiltFlow(
      """
      "$0" run rest.yaml --record --quiet >/dev/null 2>&1
      printf 'continue\\norigin rest\\nlive\\n' | "$0" debug rest.yaml
      """, in: folder)

    #expect(
      run.output == """
        rest.yaml:4: opening#1
             4 |   - {id: opening, uses: balance.load}
        rest.yaml:6:19: error: 'assert#1': assertion failed [F2004]
            6 |   - {assert: "${{ rest == 88.00 }}"}
              |                   ^^^^^^^^^^^^^
          note: rest is 87.50, set at line 5 from steps.opening.balance (100.00) at line 4
        rest (87.50), set at line 5 from steps.opening.balance (100.00) at line 4
        the answers before 'assert#1' are served; 'assert#1' and all later steps call the components 'balance' (balance)
        nothing was run; 'yes' runs it

        """)
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test func `an editor is served through pipes, whatever else they carry`() throws {
    let run = try BuiltFlow(
      #"""
      "$0" run rest.yaml --record --quiet >/dev/null 2>&1
      send() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
      {
        send '{"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "flow"}}'
        printf 'Content-Length: 5\r\n\r\n{bad}Content-Length: many\r\n\r\n'
        send '{"seq": 2, "type": "request", "command": "launch", "arguments": {"program": "rest.yaml"}}'
        send '{"seq": 3, "type": "request", "command": "fly"}'
        send '{"seq": 4, "type": "request", "command": "configurationDone"}'
        send '{"seq": 5, "type": "request", "command": "disconnect"}'
      } | "$0" debug --dap
      """#, in: folder)

    #expect(run.errors == "")
    #expect(run.code == 0)
    let events = ["\"initialized\"", "\"stopped\"", "\"terminated\""]
    #expect(events.allSatisfy(run.output.contains))
    #expect(run.output.contains("the request 'fly' is not supported"))
    #expect(run.output.contains("a broken header was ignored: not a length: 'many'"))
  }

  @Test func `messages to an editor keep their lengths on GitHub, too`() throws {
    let run = try BuiltFlow(
      #"""
      send() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
      export GITHUB_ACTIONS=true
      {
        send '{"seq": 1, "type": "request", "command": "launch", "arguments": {"program": "##[x]"}}'
        send '{"seq": 2, "type": "request", "command": "disconnect"}'
      } | "$0" debug --dap
      """#, in: folder)

    var stream = MessageStream()
    let messages = stream.parts(adding: Array(run.output.utf8))
    #expect(run.output.contains("##[x]"))
    #expect(messages.count >= 3)
    for part in messages {
      if case .message = part { continue }
      Issue.record("\(part)")
    }
  }

  @Test func `interruptions stop a live run, and cancel it`() throws {
    try folder.write(
      """
      flow: 1
      components: {sh: {plugin: process}}
      steps:
        - {uses: sh.run, with: {argv: ["echo >mark; exec cat held"], shell: true}}

      """, to: "wait.yaml")

    let run = try BuiltFlow(
      """
      mkfifo in out mark held
      show() {
        while IFS= read -r line <&4; do
          printf '%s\\n' "$line"
          case $line in *$1*) break ;; esac
        done
      }
      "$0" debug wait.yaml <in >out 2>&1 & flow=$!
      exec 3>in 4<out
      echo continue >&3
      read -r line <mark
      kill -INT $flow
      show stopping
      kill -INT $flow
      show ended
      exec 3>&-
      cat <&4
      wait $flow
      """, in: folder)

    #expect(
      run.output == """
        note: 'wait.yaml' has no transcript, so the run is live
        wait.yaml:4: sh.run#1
             4 |   - {uses: sh.run, with: {argv: ["echo >mark; exec cat held"], shell: true}}
        stopping before the next step; press Ctrl-C again to cancel the run
        the run has ended: failed

        """)
    #expect(run.code == 1)
  }

  @Test func `a run without a terminal cannot be debugged on a failure`() throws {
    let run = try BuiltFlow("\"$0\" run rest.yaml --debug-on-failure </dev/null", in: folder)

    #expect(
      run.errors == """
        flow: '--debug-on-failure' needs a terminal as standard input
        see 'flow help run'

        """)
    #expect(run.output == "")
    #expect(run.code == 64)
  }
}
