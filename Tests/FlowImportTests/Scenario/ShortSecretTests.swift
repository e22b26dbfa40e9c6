import Testing

/// Values with names of secrets that are too short to be hidden.
@Suite struct ShortSecretTests {
  @Test(arguments: samples) func `a value of fewer than 4 bytes stays, and a note says so once`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "short.sh",
      text: """
        curl -b 'lang=en; theme=1; sid=abcdef0123' -d 'pin=12&session=x' https://example.org/a
        curl -H 'X-CSRF-Token: 1' -H "X-Token: t-$A" -b 'lang=en' 'https://example.org/b?pin=123&token=1234'
        curl -u ann:pw https://example.org/c --json '{"pin": 12, "otp": -1.5, "password": "äö", "token": " ab ", "cvc": ""}'
        curl https://example.org/d -H 'Content-Type: text/plain' -d 'sid=1 password=abc'

        """,
      scenario: """
        flow: 1
        inputs:
          cookie_sid: {type: string, secret: true}
          A: {type: string, secret: true}
          token: {type: string, secret: true}
          otp: {type: string, secret: true}
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
          api2: {plugin: http, with: {base: https://example.org, follow: false, user: ann, password: pw}}
        steps:
          - uses: api.post
            with:
              path: a
              headers: {cookie: "lang=en; theme=1; sid=${{ inputs.cookie_sid }}"}
              form: {pin: "12", session: x}
          - uses: api.get
            with:
              path: "b?pin=123&token=${{ inputs.token }}"
              headers: {X-CSRF-Token: "1", X-Token: "t-${{ inputs.A }}", cookie: lang=en}
          - uses: api2.post
            with:
              path: c
              headers: {accept: application/json}
              json:
                pin: 12
                otp: ${{ double(inputs.otp) }}
                password: ${{ inputs.password }}
                token: " ab "
                cvc: ""
          - uses: api.post
            with: {path: d, headers: {Content-Type: text/plain}, body: sid=1 password=abc}

        """,
      notes: """
        1: the value of 'cookie lang' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        1: the value of 'cookie theme' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        1: the value of 'cookie sid' was removed; pass it with --secret cookie_sid=@FILE
        1: the value of 'pin' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        1: the value of 'session' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        2: the value of 'X-CSRF-Token' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        2: the value of 'token' was removed; pass it with --secret token=@FILE
        3: the value of 'password' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        3: the value of 'otp' was removed; pass it with --secret otp=@FILE
        3: the value of 'password' was removed; pass it with --secret password=@FILE
        3: the value of 'token' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        4: the value of 'sid' stays in the scenario; with fewer than 4 bytes it cannot be hidden

        """,
      problems: """
        imported.yaml:10:94: warning: the secret 'password' has fewer than 4 bytes, so it is hidden only in its field [F1404]
           10 |   api2: {plugin: http, with: {base: https://example.org, follow: false, user: ann, password: pw}}
              |                                                                                              ^^

        """),
    ImportCase(
      name: "short.hurl",
      text: """
        POST https://example.org/a
        X-Token: 12
        [Options]
        variable: pin=12
        {"pin": {{pin}}, "session": "x"}
        HTTP 200
        [Asserts]
        jsonpath "$.pin" == 12
        jsonpath "$.token" == "ab"
        jsonpath "$.secret" == hex,6162;

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: post_a
            uses: api.post
            with: {path: a, headers: {X-Token: "12"}, json: {pin: "${{ 12 }}", session: x}}
            expect: {status: 200, json: {pin: 12, token: ab}}
          - assert:
              - ${{ steps.post_a.json != null || json(steps.post_a.text) == null }}
              - ${{ steps.post_a.json.secret == b'ab' }}

        """,
      notes: """
        2: the value of 'X-Token' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        4: the value of 'pin' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        5: the value of 'session' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        9: the value of 'token' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        10: the value of 'secret' stays in the scenario; with fewer than 4 bytes it cannot be hidden

        """),
    ImportCase(
      name: "short.har",
      text: """
        {"log": {"entries": [
         {"request": {"method": "GET", "url": "https://example.org/a?pin=12", "cookies": [{"name": "lang", "value": "en"}]},
          "response": {"status": 200}},
         {"request": {"method": "GET", "url": "https://example.org/b", "cookies": [{"name": "lang", "value": "en"}]},
          "response": {"status": 200}}
        ]}}

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, headers: {cookie: lang=en}}}
        steps:
          - uses: api.get
            with: {path: a?pin=12}
            expect: {status: 200}
          - uses: api.get
            with: {path: b}
            expect: {status: 200}

        """,
      notes: """
        2: the value of 'pin' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        2: the value of 'cookie lang' stays in the scenario; with fewer than 4 bytes it cannot be hidden
        2: only the status of the answers is expected; '--transcript' records the rest of them

        """),
  ]
}
