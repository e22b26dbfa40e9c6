import Foundation
import TestKit
import Testing

/// `flow explore --faults` with an agent whose tools fail.
@Suite struct AgentFaultTests {
  /// An agent that tries twice, gives up after an error of the tool, and does not look at the result.
  private static let agent = #"""
    import json, os, sys, urllib.request
    count = 0
    def ask(method, **params):
        global count
        count += 1
        message = {"jsonrpc": "2.0", "id": count, "method": method, "params": params}
        request = urllib.request.Request(
            os.environ["FLOW_STAND_IN"] + "/counting", json.dumps(message).encode(),
            {"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        answer = json.loads(opener.open(request, timeout=2).read())
        if "error" in answer: raise RuntimeError("no answer")
        return answer["result"]
    ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "a"})
    for attempt in range(2):
        try: result = ask("tools/call", name="add", arguments={"amount": 5})
        except (RuntimeError, OSError):
            print("again")
            continue
        if result.get("isError"): sys.exit("failed")
        break
    print("done")
    """#

  private static let again = [
    #"  counter.exchange {method: "tools/call", params: {name: "add", arguments: {am… answers {result: {content: [{text: "5", type: "text"}], structuredC…"#,
    "  step 'agent#1' passed",
    "  the program repeated the call, and made no other call",
    #"  'agent#1' ended with stdout "again\ndone\n" instead of "done\n""#,
  ]

  private static func told(_ fault: String, _ lines: [String]) -> [String] {
    ["components/agents#1/serve#1/counting.exchange.add#1: \(fault), passed"] + lines
  }

  private static let expected =
    told(
      "failed",
      [
        "  step 'agent#1' passed",
        "  the program did not repeat the call, and made no other call",
        #"  'agent#1' ended with status 1 instead of 0, stdout "" instead of "done\n", stderr "failed\n" instead of """#,
      ]) + told("protocol-error", again) + told("gone", again) + told("timeout", again)
    + told("slow", again) + told("lost", again)
    + told(
      "changed",
      [
        "  step 'agent#1' passed",
        "  the program did not repeat the call, and made no other call",
        "  'agent#1' ended as without the fault",
      ])

  @Test func `what an agent does after each failure of its tool is told`() async throws {
    let folder = try TemporaryFolder()
    for name in ["counter.py", "flow.yaml", "flow.lock"] {
      try folder.write(ProjectFiles.text("Plugins/MCP/Scenarios/\(name)"), to: name)
    }
    try folder.write(Self.agent, to: "agent.py")
    try folder.write(
      """
      flow: 1
      components:
        counter: {plugin: counter}
        agents: {plugin: stand-in, live: true, using: {counting: counter}}
        programs: {plugin: process, live: true}
      steps:
        - {id: place, uses: agents.environment}
        - id: agent
          uses: programs.run
          with: {argv: [python3, agent.py], env: "${{ steps.place.variables }}"}

      """, to: "s.yaml")
    let recorded = try await BuiltProgram.run("flow", ["run", "--record", "s.yaml"], in: folder)
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))

    let explored = try await BuiltProgram.run(
      "flow",
      [
        "explore", "s.yaml", "--live=agents,programs", "--faults=counter", "--delays", "0",
        "--budget", "30",
      ], in: folder)

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(explored.code == 0, "\(explored.errors)")
    let lines = explored.output.split(separator: "\n").map(String.init)
    #expect(Array(lines.dropFirst().prefix { !$0.hasPrefix("tried ") }) == Self.expected)
  }
}
