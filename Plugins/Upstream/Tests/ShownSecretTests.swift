import FlowCore
import TestKit
import Testing

@testable import UpstreamPlugin

/// The credentials of a program, which a recording hides in its requests, and names elsewhere.
@Suite(.serialized) struct ShownSecretTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    var settings = "flow: 1\n"
    var note = ""
    /// The parts of the recording that show what became of them.
    var recorded: [String] = []
    /// What no file may contain.
    var hidden: [String] = []
    var testDescription: String { name }
  }

  private static func note(_ places: String) -> String {
    "note: the recording shows what looks like secrets of a program: \(places); hand them to the "
      + "program from secret inputs, or hide them by patterns: 'redact' in flow.yaml\n"
  }

  private static func scenario(_ folder: TemporaryFolder) -> String {
    """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components:
      login: {plugin: login}
      up: {plugin: upstream, live: true, using: {server: login}}
      program: {plugin: shell, live: true}
    steps:
      - {id: port, uses: up.address}
      - uses: program.run
        with:
          line: sh "\(folder.path("request.sh"))"
          env:
            PORT: "${{ steps.port.url }}"
            TOKEN: "${{ inputs.token }}"
            SHOWN: shown-in-the-scenario
            DIR: "\(folder.path("."))"

    """
  }

  @Test(arguments: [
    Row(
      name: "nothing",
      line:
        #"-H 'idempotency-key: a81bc81b' -H 'content-type: application/json' -d '{"sort_key": "name"}' "$PORT/a?page=2&token_type=b""#
    ),
    Row(
      name: "headers and the query",
      line:
        #"-H 'authorization: Bearer abc-1' -b 'theme=dark; sid=7a5d; b=f8a1c93ee7f0b4d25' "$PORT/a?api_key=k77&page=2""#,
      recorded: [
        #""authorization":"Bearer ${secret:login.authorization}""#,
        #""cookie":"theme=dark; sid=${secret:login.cookie}; b=${secret:login.cookie#2}""#,
        #""query":{"api_key":"${secret:login.api_key}","page":"2"}"#,
      ], hidden: ["abc-1", "7a5d", "f8a1", "k77"]),
    Row(
      name: "several credentials of one name",
      line:
        #"-H 'authorization: Bearer abc-1' "$PORT/a"; curl -sS --noproxy '*' -H 'authorization: Basic YTpi' "$PORT/a"; curl -sS --noproxy '*' -H 'authorization: Bearer abc-1' "$PORT/b""#,
      recorded: [
        #""authorization":"Bearer ${secret:login.authorization}""#,
        #""authorization":"Basic ${secret:login.authorization#2}""#,
      ], hidden: ["abc-1", "YTpi", "authorization#3"]),
    Row(
      name: "a signature, which is compared",
      line: #"-H 'x-signature: sha256=09ab' "$PORT/a?sig=77""#,
      note: note("'headers.x-signature', 'query.sig' of requests"),
      recorded: [#""x-signature":"sha256=09ab""#]),
    Row(
      name: "a token that the scenario shows",
      line: #"-H "authorization: Bearer $SHOWN" "$PORT/a""#,
      note: note("'headers.authorization' of requests"),
      recorded: [#""authorization":"Bearer shown-in-the-scenario""#]),
    Row(
      name: "a token that an answer shows",
      line:
        #""$PORT/login" > "$DIR/answer"; curl -sS --noproxy '*' -H "authorization: Bearer $(sed 's/.*access_token":"//; s/".*//' "$DIR/answer")" "$PORT/a""#,
      note: note(
        "'headers.authorization' of requests, 'headers.set-cookie', 'json.access_token' of answers"
      ),
      recorded: [#""authorization":"Bearer tok_81""#]),
    Row(
      name: "bodies",
      line:
        #"-d 'grant_type=password&password=hunter2' "$PORT/a"; curl -sS --noproxy '*' -H 'content-type: application/json' -d '{"user": {"pin": 1234}}' "$PORT/a"; curl -sS --noproxy '*' -H 'content-type: text/xml' -d '<a><password>b</password></a>' "$PORT/a""#,
      recorded: [
        #""form":{"grant_type":"password","password":"${secret:login.password}"}"#,
        #""json":{"user":{"pin":"${secret:login.pin}"}}"#,
        #""text":"<a><password>${secret:login.password#2}</password></a>""#,
      ], hidden: ["hunter2"]),
    Row(
      name: "answers", line: #""$PORT/login""#,
      note: note("'headers.set-cookie', 'json.access_token' of answers")),
    Row(name: "a secret input", line: #"-H "authorization: Bearer $TOKEN" "$PORT/a""#),
    Row(
      name: "a pattern", line: #"-H 'authorization: Bearer abc-1' "$PORT/a""#,
      settings: "flow: 1\nredact: ['(?i)bearer [a-z0-9-]+']\n"),
    Row(
      name: "a pattern for a token that the program sends back",
      line:
        #""$PORT/login" > "$DIR/answer"; curl -sS --noproxy '*' -H "authorization: Bearer $(sed 's/.*access_token":"//; s/".*//' "$DIR/answer")" "$PORT/a""#,
      settings: "flow: 1\nredact: ['tok_[0-9]+', 'sid=[0-9a-f]+']\n"),
  ]) func `a recording hides the credentials of requests, and names those that it shows`(
    _ row: Row
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(row.settings, to: "flow.yaml")
    try folder.write("curl -sS --noproxy '*' \(row.line)\n", to: "request.sh")
    try folder.write(Self.scenario(folder), to: "scenario.yaml")
    let file = folder.path("scenario.yaml")
    let components: [any Component.Type] = [Upstream.self, ShellClient.self, LoginServer.self]

    let recorded = try await FlowCommandRun(
      ["run", file, "--record"], environment: ["FLOW_SECRET_TOKEN": "s3cret-of-tests"],
      components: components)
    let replayed = try await FlowCommandRun(
      ["test", file], environment: ["FLOW_SECRET_TOKEN": "another-secret"], components: components)

    #expect(recorded.errors == row.note)
    let recording = try folder.text("scenario.transcript.jsonl")
    for text in row.recorded { #expect(recording.contains(text), "\(recording)") }
    for text in row.hidden { #expect(!recording.contains(text), "\(recording)") }
    #expect(replayed.errors == "")
    #expect(replayed.output.hasPrefix("passed "), "\(replayed.output)")
  }

  struct Later: Sendable, CustomTestStringConvertible {
    let name: String
    let token: String
    /// The changes of the recording before it is tested.
    var changes: [String: String] = [:]
    var arguments: [String] = []
    var problem: String?
    var testDescription: String { name }
  }

  private static let recorded = "Bearer ${secret:login.authorization}"

  @Test(arguments: [
    Later(name: "the same credential", token: "Bearer abc-1234"),
    Later(name: "a renewed credential", token: "Bearer xyz-98"),
    Later(name: "a short one", token: "Bearer x"),
    Later(
      name: "another scheme", token: "Basic YTpi",
      problem: "headers.authorization: recorded \"\(recorded)\", now "
        + #""Basic ${secret:login.authorization}""#),
    Later(
      name: "a live server and a renewed credential", token: "Bearer xyz-98",
      arguments: ["--live"]),
    Later(
      name: "a recording that shows the credential", token: "Bearer abc-1234",
      changes: [recorded: "Bearer abc-1234"]),
    Later(
      name: "such a recording and a live server", token: "Bearer abc-1234",
      changes: [recorded: "Bearer abc-1234"], arguments: ["--live"]),
    Later(
      name: "such a recording and another credential", token: "Bearer xyz-98",
      changes: [recorded: "Bearer abc-1234"],
      problem: "headers.authorization: recorded \"Bearer abc-1234\", now \"\(recorded)\""),
  ]) func `a renewed credential of the program changes nothing`(_ row: Later) async throws {
    let folder = try TemporaryFolder()
    func request(_ token: String) throws {
      let line = "curl -sS --noproxy '*' -H 'authorization: \(token)' \"$PORT/a\"\n"
      try folder.write(line, to: "request.sh")
    }
    try folder.write(Self.scenario(folder), to: "scenario.yaml")
    let file = folder.path("scenario.yaml")
    let components: [any Component.Type] = [Upstream.self, ShellClient.self, LoginServer.self]
    let secrets = ["FLOW_SECRET_TOKEN": "s3cret-of-tests"]
    try request("Bearer abc-1234")
    _ = try await FlowCommandRun(
      ["run", file, "--record"], environment: secrets, components: components)
    var recording = try folder.text("scenario.transcript.jsonl")
    for (old, new) in row.changes {
      #expect(recording.contains(old))
      recording = recording.replacing(old, with: new)
    }
    try folder.write(
      recording.replacing(/,"seal":"[^"]*"/, with: ""), to: "scenario.transcript.jsonl")
    try request(row.token)

    let tested = try await FlowCommandRun(
      ["test", file] + row.arguments, environment: secrets, components: components)

    #expect(tested.output.hasPrefix(row.problem == nil ? "passed " : "failed "), "\(tested)")
    if let problem = row.problem { #expect(tested.errors.contains(problem), "\(tested)") }
  }
}

/// A server that hands out credentials.
private struct LoginServer: Component {
  static let plugin = Plugin(
    "login", version: "1.0", "Hands out credentials.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: PassedRequest.record,
        answers: ServerAnswer.record
      ) { _, _, request in
        let isLogin = request.path == "/login"
        return ServerAnswer(
          status: 200, headers: isLogin ? ["set-cookie": "sid=7a5d; HttpOnly"] : [:],
          json: isLogin
            ? try Value(json: Array(#"{"access_token": "tok_81", "expires_in": 9}"#.utf8)) : nil,
          text: isLogin ? nil : "ok\n", bytes: nil, stream: nil)
      },
      Operation(
        "piece", "Has none.", Parameter<String>("stream", "The stream."),
        answers: ServerPiece.record
      ) { _, _, _ in throw ComponentError(.unexpected, "there are no streams") },
    ]
  ) { _ in LoginServer() }
}
