import FlowCommand
import FlowImport
import HTTPPlugin
import TestKit
import Testing

/// Tokens of answers that later requests send in another encoding.
@Suite struct EncodedSecretsTests {
  /// A session whose second request sends a text with the token.
  private static func session(_ request: String) -> String {
    #"""
    {"log": {"entries": [
      {"startedDateTime": "2026-03-01T10:00:00Z",
       "request": {"method": "GET", "url": "https://api.example/login", "headers": []},
       "response": {"status": 200, "headers": [],
        "content": {"text": "{\"access_token\": \"Q15x7K/9mZ+2\\\"Lw\\\\Vt8é\"}"}}},
      {"startedDateTime": "2026-03-01T10:00:01Z",
       "request": \#(request),
       "response": {"status": 200, "headers": [], "content": {"text": "{}"}}}
    ]}}

    """#
  }

  private static func get(_ path: String) -> String {
    #"{"method": "GET", "url": "https://api.example/\#(path)", "headers": []}"#
  }

  private static func post(_ type: String, _ text: String) -> String {
    #"{"method": "POST", "url": "https://api.example/m", "headers": [], "#
      + #""postData": {"mimeType": "\#(type)", "text": "\#(text)"}}"#
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: String
    /// The line of the scenario with the request's own part.
    let expected: String
  }

  static let samples = [
    Sample(
      testDescription: "base 64 in a query",
      request: get("m?x=dTpRMTV4N0svOW1aKzIiTHdcVnQ4w6k="),
      expected: #"with: {path: "m?x=${{ inputs.access_token_2 }}"}"#),
    Sample(
      testDescription: "base 64 for URLs in a path",
      request: get("m/UTE1eDdLLzltWisyIkx3XFZ0OMOp/x"),
      expected: #"with: {path: "m/${{ inputs.access_token_2 }}/x"}"#),
    Sample(
      testDescription: "base 64 with slashes in a path",
      request: get("m/dTovOi8/ZDpRMTV4N0svOW1aKzIiTHdcVnQ4w6k=/x"),
      expected: #"with: {path: "m/dTovOi8/${{ inputs.access_token_2 }}/x"}"#),
    Sample(
      testDescription: "percent-encoded", request: get("m?x=Q15x7K%2F9mZ%2B2%22Lw%5CVt8%C3%A9&y=1"),
      expected: #"with: {path: "m?x=${{ url.encodeQuery(inputs.access_token) }}&y=1"}"#),
    Sample(
      testDescription: "hexadecimal", request: get("m/51313578374b2f396d5a2b32224c775c567438c3a9"),
      expected: #"with: {path: "m/${{ inputs.access_token_2 }}"}"#),
    Sample(
      testDescription: "escaped as JSON in a text",
      request: post("text/plain", #"say \"Q15x7K/9mZ+2\\\"Lw\\\\Vt8é\" now"#),
      expected: "say \\\"${{ inputs.access_token_2 }}\\\" now"),
    Sample(
      testDescription: "percent-encoded once and twice",
      request: get(
        "m?x=Q15x7K%2F9mZ%2B2%22Lw%5CVt8%C3%A9&y=Q15x7K%252F9mZ%252B2%2522Lw%255CVt8%25C3%25A9"),
      expected:
        "&y=${{ url.encodeQuery(url.encodeQuery(inputs.access_token)) }}"),
    Sample(
      testDescription: "as it is", request: get("m/plain"),
      expected: "with: {path: m/plain}"),
  ]

  @Test(arguments: samples)
  func `a session with an encoded token replays at once`(_ sample: Sample) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.session(sample.request), to: "s.har")

    let imported = try await FlowCommandRun(
      ["import", "@/s.har", "-o", "@/s.yaml", "--transcript"], in: folder, components: [HTTP.self])
    let tested = try await FlowCommandRun(
      ["test", "@/s.yaml"], in: folder, components: [HTTP.self])

    #expect(imported.code == .passed, "\(imported.output)\(imported.errors)")
    #expect(tested.code == .passed, "\(tested.output)\(tested.errors)")
    let scenario = try folder.text("s.yaml")
    #expect(scenario.contains(sample.expected), "\(scenario)")
  }

  @Test(arguments: samples.dropLast())
  func `an encoded token is in no scenario, and a note says what to pass`(
    _ sample: Sample
  ) throws {
    let result = try Import(
      reading: Array(Self.session(sample.request).utf8), named: "s.har")

    #expect(result.scenario.contains(sample.expected), "\(result.scenario)")
    // What an expression can encode needs no secret of its own.
    let isOther = sample.expected.contains("access_token_2")
    #expect(
      result.notes.map(\.message) == [
        "only the status of the answers is expected; '--transcript' records the rest of them",
        isOther
          ? "a text with the value of 'access_token' in another encoding was removed; "
            + "pass it with --secret access_token_2=@FILE"
          : "the value of 'access_token' was removed; pass it with --secret access_token=@FILE",
      ])
  }

  @Test func `a token of an answer is in no later request, also without a transcript`() throws {
    let text = Self.session(Self.get("m?x=1")).replacing(
      #"Q15x7K/9mZ+2\\\"Lw\\\\Vt8é"#, with: "Q15x7Kf9mZp2LwVt8Rb15"
    ).replacing("m?x=1", with: "m/Q15x7Kf9mZp2LwVt8Rb15/x")

    let result = try Import(reading: Array(text.utf8), named: "s.har")

    #expect(
      result.scenario == """
        flow: 1
        inputs:
          access_token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example, follow: false}}
        steps:
          - uses: api.get
            with: {path: login}
            expect: {status: 200}
          - uses: api.get
            with: {path: "m/${{ inputs.access_token }}/x"}
            expect: {status: 200}

        """)
    #expect(
      result.notes.map(\.message) == [
        "only the status of the answers is expected; '--transcript' records the rest of them",
        "the value of 'access_token' was removed; pass it with --secret access_token=@FILE",
      ])
    #expect(!result.hasAnswers)
  }
}
