import Testing

/// Conditions of a Hurl file about secrets in answers.
@Suite struct SecretPredicateTests {
  @Test(arguments: samples) func `only a whole value of a secret is taken out of a predicate`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "parts.hurl",
      text: """
        GET https://example.org/me
        HTTP 200
        [Asserts]
        jsonpath "$.token" startsWith "tok-"
        jsonpath "$.token" not endsWith "-old"
        jsonpath "$.token" contains "live"
        jsonpath "$.token" matches "^[a-z]{40}$"
        jsonpath "$.tokens" includes "session"
        jsonpath "$.token" startsWith "{{prefix}}"
        jsonpath "$.token" contains "password=correct-horse"
        header "Set-Cookie" contains "theme=dark"

        """,
      scenario: """
        flow: 1
        inputs:
          prefix: {type: string}
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_me
            uses: api.get
            with: {path: me}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_me.json != null || json(steps.get_me.text) == null }}
              - ${{ steps.get_me.json.token.startsWith('tok-') }}
              - ${{ !(type(steps.get_me.json) == map && 'token' in steps.get_me.json && steps.get_me.json.token.endsWith('-old')) }}
              - "${{ type(steps.get_me.json.token) == list ? 'live' in steps.get_me.json.token : steps.get_me.json.token.contains('live') }}"
              - ${{ steps.get_me.json.token.matches('^[a-z]{40}$') }}
              - ${{ type(steps.get_me.json.tokens) == list && 'session' in steps.get_me.json.tokens }}
              - ${{ steps.get_me.json.token.startsWith(inputs.prefix) }}
              - "${{ type(steps.get_me.json.token) == list ? 'password=' + inputs.password in steps.get_me.json.token : steps.get_me.json.token.contains('password=' + inputs.password) }}"
              - ${{ steps.get_me.headers['set-cookie'].contains('theme=dark') }}

        """,
      notes: """
        10: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "schemes.hurl",
      text: """
        POST https://example.org/me
        {"auth": "Bearer correct-horse", "token": "Token {{token}}"}
        HTTP 200
        X-Auth: Basic {{basic}}
        [Captures]
        id: jsonpath "$.id"
        [Asserts]
        jsonpath "$.auth" == "Bearer {{token}}"
        jsonpath "$.auth" == "Bearer correct-horse"
        jsonpath "$.auth" != "Basic {{id}}"
        jsonpath "$.session" == "session-{{id}}"
        jsonpath "$.session" == "correct-horse"

        """,
      scenario: """
        flow: 1
        inputs:
          token: {type: string, secret: true}
          auth: {type: string, secret: true}
          basic: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: post_me
            uses: api.post
            with: {path: me, json: {auth: "Bearer ${{ inputs.auth }}", token: "Token ${{ inputs.token }}"}}
            expect:
              status: 200
              headers: {x-auth: "${{ 'Basic ' + inputs.basic in it.split(', ') }}"}
              json: {auth: "Bearer ${{ inputs.token }}", session: "${{ inputs.auth }}"}
          - set: {id: "${{ steps.post_me.json.id }}"}
          - assert:
              - ${{ steps.post_me.json != null || json(steps.post_me.text) == null }}
              - ${{ steps.post_me.json.auth == 'Bearer ' + inputs.auth }}
              - ${{ steps.post_me.json.auth != 'Basic ' + string(id) }}
              - ${{ steps.post_me.json.session == 'session-' + string(id) }}

        """,
      notes: """
        2: the value of 'auth' was removed; pass it with --secret auth=@FILE

        """),
  ]
}
