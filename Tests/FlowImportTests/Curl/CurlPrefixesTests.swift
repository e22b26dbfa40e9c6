import FlowImport
import Testing

/// Commands of curl as prompts, histories and functions have them.
@Suite struct CurlPrefixesTests {
  @Test(arguments: samples) func `a command is found behind what stands before it`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "prompt.curl",
      text: #"""
        curl ^"http://h/owls?a=1^&b=2^" ^
          -H ^"x-owl: barn^" ^
          --data-raw ^"^{^\^"at^\^":^\^"C:^\^\owls 50^%^\^"^}^"
        curl "http://h/jays" -H "x-owl: a ^ ""b"""

        """#,
      scenario: #"""
        flow: 1
        components:
          api: {plugin: http, with: {base: http://h, follow: false}}
        steps:
          - uses: api.post
            with:
              path: owls?a=1&b=2
              headers: {x-owl: barn, content-type: application/x-www-form-urlencoded}
              body: "{\"at\":\"C:\\\\owls 50%\"}"
          - uses: api.get
            with: {path: jays, headers: {x-owl: "a ^ \"b\""}}

        """#),
    ImportCase(
      name: "history.sh",
      text: """
          501  curl http://h/owls
          502* 2026-01-02 10:00:00 curl -d x=1 http://h/jays

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: http://h, follow: false}}
        steps:
          - uses: api.get
            with: {path: owls}
          - uses: api.post
            with: {path: jays, form: {x: "1"}}

        """),
    ImportCase(
      name: "functions.sh",
      text: """
        owls() {
          curl http://h/owls
        }
        function jays { curl http://h/jays; }

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: http://h, follow: false}}
        steps:
          - uses: api.get
            with: {path: owls}
          - uses: api.get
            with: {path: jays}

        """,
      notes: """
        1: the function 'owls' is imported as if it were called here, once
        4: the function 'jays' is imported as if it were called here, once

        """),
  ]
}
