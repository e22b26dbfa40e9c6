import FlowCore
import Foundation
import TestKit
import Testing

/// Programs that ask the APIs of models, by the presets for them.
@Suite struct PresetTests {
  @Test func `a date in the system prompt does not end a recording`() async throws {
    let agents = try ModelAgents()
    let recorded = try await agents.record()
    agents.stop()
    try agents.write(program: ModelAgents.agent(date: "2027-03-09", library: "7.9.0"))

    let replayed = try await agents.flow("test", "s.yaml")

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
    let transcript = try agents.folder.text("s.transcript.jsonl")
    #expect(transcript.contains(#""in":"Today is {date}.","example":"Today is 2026-11-30.""#))
    // The key of the component is sent, and the header of the library is passed on.
    #expect(try agents.folder.text("seen").contains("Bearer sk-7f3a9c21d4"))
    #expect(!transcript.contains("sk-7f3a9c21d4"))
    #expect(try agents.folder.text("seen").contains("7.8.9"))
    #expect(!transcript.contains("7.8.9") && !transcript.contains("stainless"))
    #expect(transcript.contains(#""id":{"$any":"string","example":"chatcmpl-"#))
  }

  @Test func `another word of the prompt fails the replay`() async throws {
    let agents = try ModelAgents()
    _ = try await agents.record()
    agents.stop()
    try agents.write(program: ModelAgents.agent(question: "Good night"))

    let run = try await agents.flow("test", "s.yaml")

    #expect(run.code == 1)
    #expect(run.errors.contains("is not in the transcript [F3001]"), "\(run.errors)")
    #expect(run.errors.contains("Good night"), "\(run.errors)")
  }

  @Test func `the report sums up what live calls took, and what the recording stands for`()
    async throws
  {
    let agents = try ModelAgents()
    let live = try await agents.record("--report", "usage=live.txt")
    agents.stop()

    let served = try await agents.flow(
      "test", "s.yaml", "--report", "usage=-", "--report", "usage-json=usage.json")

    #expect(live.code == 0, "\(live.output)\(live.errors)")
    #expect(
      try agents.folder.text("live.txt") == """
        step       answers  calls  usage.input  usage.output  usage.total  usage.cached        usage.price

        s.yaml
        agent      live         2  2024 tokens     10 tokens  2034 tokens   2000 tokens      0.0001596 USD
        ask        live         1  1012 tokens      5 tokens  1017 tokens   1000 tokens                  ?
        all steps  live         3  3036 tokens     15 tokens  3051 tokens   3000 tokens  0.0001596 USD + ?

        usage.price of 1 call is not known: no price of the model 'next-2024-07-18'

        """)
    #expect(
      served.output == """
        step       answers   calls  usage.input  usage.output  usage.total  usage.cached        usage.price

        s.yaml
        agent      recorded      2  2024 tokens     10 tokens  2034 tokens   2000 tokens      0.0001596 USD
        ask        recorded      1  1012 tokens      5 tokens  1017 tokens   1000 tokens                  ?
        all steps  recorded      3  3036 tokens     15 tokens  3051 tokens   3000 tokens  0.0001596 USD + ?

        usage.price of 1 call is not known: no price of the model 'next-2024-07-18'

        """)
    #expect(try agents.folder.text("usage.json") == Self.usage + "\n")
  }

  private static let usage =
    #"{"version":1,"scenarios":[{"path":"s.yaml","steps":[{"step":"agent","answers":"recorded","calls":2,"sums":[{"name":"usage.input","unit":"tokens","amount":2024},{"name":"usage.output","unit":"tokens","amount":10},{"name":"usage.total","unit":"tokens","amount":2034},{"name":"usage.cached","unit":"tokens","amount":2000},{"name":"usage.price","unit":"USD","amount":0.0001596}],"unknown":[]},{"step":"ask","answers":"recorded","calls":1,"sums":[{"name":"usage.input","unit":"tokens","amount":1012},{"name":"usage.output","unit":"tokens","amount":5},{"name":"usage.total","unit":"tokens","amount":1017},{"name":"usage.cached","unit":"tokens","amount":1000}],"unknown":[{"name":"usage.price","unit":"USD","reason":"no price of the model 'next-2024-07-18'","count":1}]}]}],"#
    + #""totals":[{"answers":"recorded","calls":3,"sums":[{"name":"usage.input","unit":"tokens","amount":3036},{"name":"usage.output","unit":"tokens","amount":15},{"name":"usage.total","unit":"tokens","amount":3051},{"name":"usage.cached","unit":"tokens","amount":3000},{"name":"usage.price","unit":"USD","amount":0.0001596}],"unknown":[{"name":"usage.price","unit":"USD","reason":"no price of the model 'next-2024-07-18'","count":1}]}]}"#

  @Test func `parts of a suite keep their usage for the report of the whole`() async throws {
    let agents = try ModelAgents()
    _ = try await agents.record()
    agents.stop()

    let part = try await agents.flow(
      "test", "s.yaml", "--shard", "1/1", "--results", "results", "--run", "r1")
    let merged = try await agents.flow("merge", "results", "--report", "usage=-")

    #expect(part.code == 0, "\(part.output)\(part.errors)")
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(
      merged.output.contains("agent      recorded      2  2024 tokens     10 tokens"),
      "\(merged.output)")
  }

  @Test func `by-host finds the preset of each server that a program asks`() async throws {
    let agents = try ModelAgents()
    try agents.folder.write(
      """
      presets:
        other: {hosts: [models.example], unrecorded: [x-other]}
        own:
          hosts: ["127.0.0.1:\(agents.port)"]
          unrecorded: ["x-stainless-*"]
          usage: {model: [model], input: [usage.prompt_tokens]}
          prices: {currency: EUR, models: {gpt-4o-mini: {input: 1000, output: 1}}}

      """, to: "own.yaml")
    try agents.folder.write(
      """
      flow: 1
      components:
        servers: {plugin: http, with: {preset: own.yaml#by-host}}
        proxy: {plugin: upstream, live: true, using: {server: servers}, with: {hosts: {"*": server}}}
        programs: {plugin: process, live: true}
      steps:
        - id: proxy
          uses: proxy.environment
          with: {add: {OPENAI_BASE_URL: "http://127.0.0.1:\(agents.port)/v1", OPENAI_API_KEY: ""}}
        - id: agent
          uses: programs.run
          with: {argv: [python3, agent.py], env: "${{ steps.proxy.variables }}"}
          expect: {status: 0}

      """, to: "s.yaml")

    let run = try await agents.flow("run", "s.yaml", "--record", "--quiet", "--report", "usage=-")

    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output.contains("agent  live         2  2024 tokens  2024 tokens    2.024 EUR"),
      "\(run.output)")
    #expect(try !agents.folder.text("s.transcript.jsonl").contains("stainless"))
  }
}

/// An agent in Python, and a stand-in for the model that it asks.
private final class ModelAgents: Sendable {
  let folder: TemporaryFolder
  let port: String
  private let server: ChildProcess

  init() throws {
    folder = try TemporaryFolder()
    let model = try ProjectFiles.text("Docs/how-to/models.py")
    // It notes what a program sends.
    let noting = "    def do_POST(self):\n        open(\"seen\", \"a\").write(str(self.headers))\n"
    try folder.write(
      model.replacing("    def do_POST(self):\n", with: noting), to: "models.py")
    try folder.write(Self.scenario, to: "s.yaml")
    server = try ChildProcess(
      "/usr/bin/env", ["python3", "models.py", "0"], in: folder.directory.path)
    port = server.firstLine()
    try write(program: Self.agent())
  }

  deinit { stop() }

  func stop() {
    server.send(SIGKILL)
    _ = server.ending()
  }

  func write(program: String) throws { try folder.write(program, to: "agent.py") }

  func record(_ options: String...) async throws -> BuiltProgram {
    try await BuiltProgram.run(
      "flow",
      ["run", "s.yaml", "--quiet", "--record", "--input", "base=http://127.0.0.1:\(port)"]
        + ["--input", "key=sk-7f3a9c21d4"] + options, in: folder)
  }

  func flow(_ arguments: String...) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  /// The program: two questions, of which the second one is streamed.
  static func agent(
    date: String = "2026-11-30", library: String = "7.8.9", question: String = "Hi"
  ) -> String {
    """
    import json, os, urllib.request
    def ask(stream):
        body = {"model": "gpt-4o-mini", "stream": stream, "messages": [
            {"role": "system", "content": "Today is \(date)."}, {"role": "user", "content": "\(question)"}]}
        headers = {
            "Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"],
            "X-Stainless-Runtime-Version": "\(library)"}
        url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
            return answer.read()
    print(json.loads(ask(False))["choices"][0]["message"]["content"])
    assert ask(True).endswith(b"data: [DONE]\\n\\n")

    """
  }

  private static let scenario = """
    flow: 1
    inputs: {base: {type: string}, key: {type: string, secret: true}}
    components:
      model:
        plugin: http
        with: {preset: openai, base: "${{ inputs.base }}", bearer: "${{ inputs.key }}"}
      upstream:
        plugin: upstream
        live: true
        using: {server: model}
        with: {drop: [authorization]}
        varies: {server.exchange: {any: ["json.messages[0].content=Today is {date}."]}}
      programs: {plugin: process, live: true}
    steps:
      - {id: place, uses: upstream.address, with: {add: {OPENAI_API_KEY: none}}}
      - id: agent
        uses: programs.run
        with: {argv: [python3, agent.py], env: "${{ steps.place.variables }}"}
        expect: {status: 0, stdout: "Hello\\n"}
      - id: ask
        uses: model.post
        with: {path: v1/chat/completions, json: {model: next, messages: []}}
        expect: {usage: {stop: stop, total: "${{ it > 1000 }}"}}

    """
}
