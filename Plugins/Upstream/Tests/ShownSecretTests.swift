import FlowCore
import TestKit
import Testing

@testable import UpstreamPlugin

/// The credentials of a program in a recording.
@Suite(.serialized) struct ShownSecretTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    var settings = "flow: 1\n"
    var note = ""
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
      line: #"-H 'authorization: Bearer abc-1' -b 'theme=dark' "$PORT/a?api_key=77""#,
      note: note("'headers.authorization', 'headers.cookie', 'query.api_key' of requests")),
    Row(
      name: "bodies",
      line:
        #"-d 'grant_type=password&password=hunter2' "$PORT/a"; curl -sS --noproxy '*' -H 'content-type: application/json' -d '{"user": {"pin": 1234}}' "$PORT/a"; curl -sS --noproxy '*' -H 'content-type: text/xml' -d '<a><password>b</password></a>' "$PORT/a""#,
      note: note("'form.password', 'json.user.pin', 'text.password' of requests")),
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
  ]) func `a recording names the credentials of the program that it shows`(_ row: Row)
    async throws
  {
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
    #expect(replayed.errors == "")
    #expect(replayed.output.hasPrefix("passed "), "\(replayed.output)")
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
