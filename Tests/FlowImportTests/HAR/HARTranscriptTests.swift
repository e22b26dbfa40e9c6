import FlowCommand
import FlowCore
import HTTPPlugin
import TestKit
import Testing

/// Recorded sessions of browsers that replay at once.
@Suite struct HARTranscriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.session, to: "s.har")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [HTTP.self])
  }

  private static let session = #"""
    {"log": {"entries": [
      {"startedDateTime": "2026-03-01T10:00:00Z", "time": 12.7,
       "request": {"method": "POST", "url": "https://shop.example.org/login", "headers": [],
        "postData": {"mimeType": "application/json", "text": "{\"user\": \"ann\", \"password\": \"correct-horse\"}"}},
       "response": {"status": 200, "headers": [
         {"name": "Date", "value": "Sun, 01 Mar 2026 10:00:00 GMT"},
         {"name": ":status", "value": "200"},
         {"name": "Content-Type", "value": "application/json"},
         {"name": "Set-Cookie", "value": "sid=8f14e45fceea; Path=/"}],
        "content": {"size": 60, "mimeType": "application/json",
         "text": "{\"token\": \"tok-11223344\", \"name\": \"ann\", \"pin\": 271828}"}}},
      {"startedDateTime": "2026-03-01T10:00:01Z",
       "request": {"method": "GET", "url": "https://shop.example.org/items?as=tok-11223344",
        "headers": [{"name": "X-Trace", "value": "of tok-11223344"}]},
       "response": {"status": 302, "headers": [
         {"name": "Location", "value": "/list?session=abcdef123456"}],
        "content": {"size": 0}}},
      {"startedDateTime": "2026-03-01T10:00:02Z",
       "request": {"method": "GET", "url": "https://shop.example.org/list", "headers": []},
       "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/html"}],
        "content": {"size": 1234, "mimeType": "text/html"}}},
      {"startedDateTime": "2026-03-01T10:00:03Z",
       "request": {"method": "GET", "url": "https://shop.example.org/barn.png", "headers": []},
       "response": {"status": 200, "headers": [],
        "content": {"size": 4, "mimeType": "image/png", "encoding": "base64", "text": "iVBO/w=="}}},
      {"startedDateTime": "2026-03-01T10:00:04Z",
       "request": {"method": "GET", "url": "https://shop.example.org/page", "headers": []},
       "response": {"status": 200, "headers": [],
        "content": {"mimeType": "text/html", "encoding": "base64",
         "text": "PGlucHV0IG5hbWU9ImNzcmZfdG9rZW4iIHZhbHVlPSJ6ei05OTg4Nzc2NiI+"}}},
      {"startedDateTime": "2026-03-01T10:00:05Z",
       "request": {"method": "GET", "url": "https://shop.example.org/lost", "headers": []},
       "response": {"status": 0, "headers": []}}
    ]}}

    """#

  @Test func `the answers become the transcript, and the session replays at once`() async throws {
    let imported = try await flow("import", "@/s.har", "-o", "@/s.yaml", "--transcript")
    let checked = try await flow("check", "@/s.yaml")
    let tested = try await flow("test", "@/s.yaml")

    #expect(
      imported.errors == """
        @/s.har:2: note: the value of 'password' was removed; pass it with --secret password=@FILE
        @/s.har:2: note: the value of 'token' was removed; pass it with --secret token=@FILE
        @/s.har:18: note: the body of the answer is not in the file, so it is recorded as empty
        @/s.har:31: note: the request has no response, so it is left out

        """)
    #expect(imported.output == "recorded @/s.transcript.jsonl\n")
    #expect(imported.code == .passed)
    #expect(checked.code == .passed, "\(checked.errors)")
    #expect(tested.code == .passed, "\(tested.output)\(tested.errors)")
    #expect(
      try folder.text("s.yaml") == #"""
        flow: 1
        inputs:
          password: {type: string, secret: true}
          token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://shop.example.org, follow: false}}
        steps:
          - uses: api.post
            with: {path: login, json: {user: ann, password: "${{ inputs.password }}"}}
            expect: {status: 200}
            secret: [headers.set-cookie, json.token, json.pin]
          - uses: api.get
            with: {path: "items?as=${{ inputs.token }}", headers: {x-trace: "of ${{ inputs.token }}"}}
            expect: {status: 302}
            secret: [headers.location]
          - uses: api.get
            with: {path: list}
            expect: {status: 200}
          - uses: api.get
            with: {path: barn.png}
            expect: {status: 200}
          - uses: api.get
            with: {path: page}
            expect: {status: 200}

        """#)
  }

  @Test func `no secret of the session is in a file, and everything else is`() async throws {
    _ = try await flow("import", "@/s.har", "-o", "@/s.yaml", "--transcript")

    let all = try folder.text("s.yaml") + folder.text("s.transcript.jsonl")
    for secret in [
      "correct-horse", "8f14e45fceea", "tok-11223344", "abcdef123456", "zz-99887766", "271828",
    ] {
      #expect(!all.contains(secret), "\(secret)")
    }
    for part in [
      #""elapsed":{"$any":"duration","example":"0.012s"}"#,
      #""date":{"$any":"string","example":"Sun, 01 Mar 2026 10:00:00 GMT"}"#, #""name":"ann""#,
      #""bytes":"iVBO/w==""#, #""content-type":"application/json""#, #""status":302"#,
    ] {
      #expect(all.contains(part), "\(part) in\n\(all)")
    }
    #expect(!all.contains(":status"))
  }

  @Test func `an existing transcript is replaced by force alone`() async throws {
    try folder.write("mine\n", to: "s.transcript.jsonl")
    let refused = try await flow("import", "@/s.har", "-o", "@/s.yaml", "--transcript")

    #expect(
      refused.errors.hasSuffix(
        "flow: '@/s.transcript.jsonl' already exists; use --force to replace it\n"))
    #expect(refused.code == .cannotWrite)
    #expect(!folder.directory.contains("s.yaml"))

    try folder.remove("s.transcript.jsonl")
    _ = try await flow("import", "@/s.har", "-o", "@/s.yaml", "--transcript")
    let forced = try await flow("import", "@/s.har", "-o", "@/s.yaml", "--transcript", "--force")
    #expect(forced.code == .passed, "\(forced.errors)")
  }

  @Test func `other files have no answers`() async throws {
    try folder.write("GET https://example.org/items\n", to: "a.hurl")
    let other = try await flow("import", "@/a.hurl", "-o", "@/a.yaml", "--transcript")
    let without = try await flow("import", "@/s.har", "--transcript")

    #expect(other.errors == "flow: '--transcript' needs a HAR file with answers\n")
    #expect(other.code == .badInput)
    #expect(!folder.directory.contains("a.yaml"))
    #expect(
      without.errors == "flow: '--transcript' needs '--output'\nsee 'flow help import'\n")
  }
}
