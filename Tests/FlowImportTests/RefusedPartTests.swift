import Testing

/// Parts of requests that no client can send together.
@Suite struct RefusedPartTests {
  @Test(arguments: samples) func `a part that a request cannot have is left out, with a note`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "head.curl",
      text: "curl -T rows.csv https://example.org/rows.csv -I\n",
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          # line 1: the body of a HEAD request is not supported
          - uses: api.head
            with: {path: rows.csv}

        """,
      notes: "1: the body of a HEAD request is not supported\n"),
    ImportCase(
      name: "type.curl",
      text: "curl -F kind=mill -H 'Content-Type: text/csv' https://example.org/rows\n",
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          # line 1: the type 'text/csv' of this body is not supported
          - uses: api.post
            with: {path: rows, multipart: [{name: kind, value: mill}]}

        """,
      notes: "1: the type 'text/csv' of this body is not supported\n"),
    ImportCase(
      name: "control.curl",
      text: "curl -H $'X-Mill: a\\x01b' https://example.org/rows\n",
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          # line 1: the header 'x-mill' with a control character is not supported
          - uses: api.get
            with: {path: rows}

        """,
      notes: "1: the header 'x-mill' with a control character is not supported\n"),
  ]
}
