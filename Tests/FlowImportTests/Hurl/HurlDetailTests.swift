import Testing

/// Combined parts of Hurl files: secrets, retries, captures, templates.
@Suite struct HurlDetailTests {
  @Test(arguments: samples) func `what Hurl would do is imported, or a note says that it is not`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "quoted.hurl",
      text: """
        GET https://example.org/first
        HTTP 200
        [Captures]
        id: jsonpath "$.id"

        POST https://example.org/second
        {"id": "{{id}}", "number": {{id}}, "text": "no {{id}}", "name": "{{name}}", "any": {{any}}, "also": "{{any}}"}
        HTTP 200
        X-Id: {{id}}
        [Asserts]
        jsonpath "$.id" == "{{id}}"
        jsonpath "$.number" == {{id}}
        jsonpath "$.name" startsWith "{{name}}"
        jsonpath "$.also" == "{{any}}"

        POST https://example.org/third
        `{{id}}`
        HTTP 200
        `{{id}}`

        """,
      scenario: """
        flow: 1
        inputs:
          name: {type: string}
          any: {type: any}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_first
            uses: api.get
            with: {path: first}
            expect: {status: 200}
          - set: {id: "${{ steps.get_first.json.id }}"}
          - id: post_second
            uses: api.post
            with:
              path: second
              json:
                id: ${{ string(id) }}
                number: ${{ id }}
                text: "no ${{ id }}"
                name: ${{ inputs.name }}
                any: ${{ inputs.any }}
                also: ${{ string(inputs.any) }}
            expect:
              status: 200
              headers: {x-id: "${{ string(id) in it.split(', ') }}"}
              json: {id: "${{ string(id) }}", also: "${{ string(inputs.any) }}"}
          - assert:
              - ${{ steps.post_second.json != null || json(steps.post_second.text) == null }}
              - ${{ steps.post_second.json.number == id }}
              - ${{ steps.post_second.json.name.startsWith(inputs.name) }}
          - id: post_third
            uses: api.post
            with: {path: third, body: "${{ string(id) }}"}
            expect: {status: 200, text: "${{ string(id) }}"}
          - assert:
              - ${{ steps.post_third.text != '' || steps.post_third.size == 0 }}

        """),
    ImportCase(
      name: "skipped.hurl",
      text: """
        GET https://example.org/first
        [Options]
        skip: true
        HTTP 200
        [Captures]
        id: jsonpath "$.id"

        GET https://example.org/{{id}}
        X-Never: {{id}}
        [Options]
        skip: true
        HTTP 200
        [Asserts]
        jsonpath "$.id" == "{{never}}"

        GET https://example.org/second/{{id}}
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          id: {type: string}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {path: "second/${{ inputs.id }}"}
            expect: {status: 200}

        """,
      notes: """
        1: the request is left out, since its options skip it
        8: the request is left out, since its options skip it

        """),
    ImportCase(
      name: "indices.hurl",
      text: """
        GET https://example.org/x
        HTTP 200
        [Asserts]
        jsonpath "$.items[*].tags[-2]" includes "red"
        jsonpath "$.items[-1].id" exists
        jsonpath "$.items[-1].tags[-2].id" not exists
        jsonpath "$[-1]" exists
        jsonpath "$.items" nth -2 exists
        jsonpath "$.items" nth 2 exists
        cookie "sid[Max-Age]" == 3600
        cookie "sid[Path]" == "/"

        """,
      scenario: #"""
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_x
            uses: api.get
            with: {path: x}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_x.json != null || json(steps.get_x.text) == null }}
              - ${{ 'red' in steps.get_x.json.items.map(x, type(x) == map && 'tags' in x, x.tags).map(x, type(x) == list && size(x) >= 2, x[size(x) - 2]) }}
              - ${{ steps.get_x.json.?items.hasValue() && steps.get_x.json.?items[?size(steps.get_x.json.items) - 1].?id.hasValue() }}
              - ${{ !(type(steps.get_x.json) == map && 'items' in steps.get_x.json && type(steps.get_x.json.items) == list && size(steps.get_x.json.items) >= 1 && type(steps.get_x.json.items[size(steps.get_x.json.items) - 1]) == map && 'tags' in steps.get_x.json.items[size(steps.get_x.json.items) - 1] && type(steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags) == list && size(steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags) >= 2 && type(steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags[size(steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags) - 2]) == map && 'id' in steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags[size(steps.get_x.json.items[size(steps.get_x.json.items) - 1].tags) - 2]) }}
              - ${{ steps.get_x.json[?size(steps.get_x.json) - 1].hasValue() }}
              - ${{ type(steps.get_x.json.items) == list && size(steps.get_x.json.items) >= 2 }}
              - ${{ type(steps.get_x.json.items) == list && size(steps.get_x.json.items) >= 3 }}
              - ${{ steps.get_x.cookies.sid.maxAge == 3600 }}
              - ${{ steps.get_x.cookies.sid.path == '/' }}

        """#),
    ImportCase(
      name: "users.hurl",
      text: """
        GET https://example.org/x
        [BasicAuth]
        {{user}}: {{pass}}
        HTTP 200

        POST https://example.org/x
        [Multipart]
        password: file,secret.txt; text/plain
        token: abcdefgh-1
        {{name}}: x
        [Cookies]
        session: abcdefgh-1
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          user: {type: string}
          pass: {type: string, secret: true}
          token: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://example.org
              follow: false
              decompress: false
              user: ${{ inputs.user }}
              password: ${{ inputs.pass }}
          api2: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {path: x}
            expect: {status: 200}
          # line 10: names with templates are not supported
          - uses: api2.post
            with:
              path: x
              headers: {cookie: "session=${{ inputs.token }}"}
              multipart:
                - {name: password, file: secret.txt, type: text/plain}
                - {name: token, value: "${{ inputs.token }}"}
            expect: {status: 200}

        """,
      notes: """
        6: this request has different settings, so it uses another component and does not share cookies with the first
        9: the value of 'token' was removed; pass it with --secret token=@FILE
        10: names with templates are not supported

        """),
    ImportCase(
      name: "captured-user.hurl",
      text: """
        GET https://example.org/a
        HTTP 200
        [Captures]
        p: jsonpath "$.p"
        q: jsonpath "$.q"

        GET https://example.org/b
        [BasicAuth]
        ann: {{p}}

        GET https://example.org/c
        [BasicAuth]
        ann: {{q}}

        GET https://example.org/d
        [BasicAuth]
        ann: {{p}}

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
          password_2: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
          api2:
            plugin: http
            with:
              base: https://example.org
              follow: false
              decompress: false
              user: ann
              password: ${{ inputs.password }}
          api3:
            plugin: http
            with:
              base: https://example.org
              follow: false
              decompress: false
              user: ann
              password: ${{ inputs.password_2 }}
        steps:
          - id: get_a
            uses: api.get
            with: {path: a}
            expect: {status: 200}
          - set: {p_value: "${{ steps.get_a.json.p }}"}
          - set: {q_value: "${{ steps.get_a.json.q }}"}
          - uses: api2.get
            with: {path: b}
          - uses: api3.get
            with: {path: c}
          - uses: api2.get
            with: {path: d}

        """,
      notes: """
        7: a component cannot read an answer; its 'password' is the input 'password'
        7: this request has different settings, so it uses another component and does not share cookies with the first
        11: a component cannot read an answer; its 'password' is the input 'password_2'
        15: a component cannot read an answer; its 'password' is the input 'password'

        """),
    ImportCase(
      name: "retried-secrets.hurl",
      text: """
        POST https://example.org/x
        X-Api-Key: abcdefgh-1
        [Options]
        retry: 200
        cert: me.pem:hunter2-pw
        HTTP 200
        {"echo": "abcdefgh-1", "text": "key abcdefgh-1!", "pin": 271828}
        [Asserts]
        jsonpath "$.note" contains "abcdefgh-1"
        jsonpath "$.token" toString == "t0k3n-t0k3n"

        """,
      scenario: """
        flow: 1
        inputs:
          x_api_key: {type: string, secret: true}
          client_key_password: {type: string, secret: true}
          pin: {type: string, secret: true}
          token: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://example.org
              follow: false
              decompress: false
              client_cert: me.pem
              client_key: me.pem
              client_key_password: ${{ inputs.client_key_password }}
        steps:
          - uses: api.post
            with: {path: x, headers: {X-Api-Key: "${{ inputs.x_api_key }}"}}
            retry: {attempts: 101, backoff: 1s}
            expect: "${{ it.status == 200 && it.json == {'echo': inputs.x_api_key, 'text': 'key ' + inputs.x_api_key + '!', 'pin': int(inputs.pin)} && (it.json != null || json(it.text) == null) && (type(it.json.note) == list ? inputs.x_api_key in it.json.note : it.json.note.contains(inputs.x_api_key)) && string(it.json.token) == inputs.token }}"

        """,
      notes: """
        2: the value of 'X-Api-Key' was removed; pass it with --secret x_api_key=@FILE
        4: retries are limited to 100
        5: the value of 'client_key_password' was removed; pass it with --secret client_key_password=@FILE
        7: the value of 'pin' was removed; pass it with --secret pin=@FILE
        10: the value of 'token' was removed; pass it with --secret token=@FILE

        """),
    ImportCase(
      name: "secrets-told-later.hurl",
      text: #"""
        GET https://example.org/users/abcdefgh-1
        HTTP 200
        X-Echo: of it's "abcdefgh"\n
        [Asserts]
        jsonpath "$.a" == "abcdefgh-1"
        jsonpath "$.b" contains "before abcdefgh-1 after"
        jsonpath "$.c" matches /^abcdefgh-1$/
        body == "it's \"abcdefgh\"\n"
        jsonpath "$.pin" == 271828
        jsonpath "$.secrets" nth 0 == "correct-horse"
        jsonpath "$.secrets" count == 2
        jsonpath "$.secret" == hex,63686f636f6c617465;
        variable "password" == "chocolate-2"

        POST https://example.org/login
        X-Api-Key: abcdefgh-1
        X-Token: it's "abcdefgh"\n
        [Options]
        variable: pin=271828
        {"pin": {{pin}}, "text": "{{pin}}", "code": 12345}
        HTTP 200

        """#,
      scenario: #"""
        flow: 1
        inputs:
          pin: {type: string, secret: true}
          secrets: {type: string, secret: true}
          secret: {type: string, secret: true}
          password: {type: string, secret: true}
          password_2: {type: string, secret: true}
          x_api_key: {type: string, secret: true}
          x_token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_users
            uses: api.get
            with: {path: "users/${{ inputs.x_api_key }}"}
            expect:
              status: 200
              headers: {x-echo: "${{ 'of ' + inputs.x_token in it.split(', ') }}"}
              json: {a: "${{ inputs.x_api_key }}"}
              text: |
                ${{ inputs.x_token }}
          - assert:
              - ${{ steps.get_users.json != null || json(steps.get_users.text) == null }}
              - "${{ type(steps.get_users.json.b) == list ? 'before ' + inputs.x_api_key + ' after' in steps.get_users.json.b : steps.get_users.json.b.contains('before ' + inputs.x_api_key + ' after') }}"
              - ${{ steps.get_users.json.c.matches('^' + inputs.x_api_key + '$') }}
              - ${{ steps.get_users.json.pin == int(inputs.pin) }}
              - ${{ type(steps.get_users.json.secrets) == list && steps.get_users.json.secrets[0] == inputs.secrets }}
              - ${{ type(steps.get_users.json.secrets) == list && size(steps.get_users.json.secrets) == 2 }}
              - ${{ steps.get_users.json.secret == bytes(inputs.secret) }}
              - ${{ inputs.password == inputs.password_2 }}
          - uses: api.post
            with:
              path: login
              headers: {X-Api-Key: "${{ inputs.x_api_key }}", X-Token: "${{ inputs.x_token }}"}
              json: {pin: "${{ int(inputs.pin) }}", text: "${{ string(int(inputs.pin)) }}", code: 12345}
            expect: {status: 200}

        """#,
      notes: """
        9: the value of 'pin' was removed; pass it with --secret pin=@FILE
        10: the value of 'secrets' was removed; pass it with --secret secrets=@FILE
        12: the value of 'secret' was removed; pass it with --secret secret=@FILE
        13: the value of 'password' was removed; pass it with --secret password_2=@FILE
        16: the value of 'X-Api-Key' was removed; pass it with --secret x_api_key=@FILE
        17: the value of 'X-Token' was removed; pass it with --secret x_token=@FILE

        """),
  ]
}
