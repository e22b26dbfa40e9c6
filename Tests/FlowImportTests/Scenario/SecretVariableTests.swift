import Testing

/// Variables in the places of secrets.
@Suite struct SecretVariableTests {
  @Test(arguments: samples) func `a variable in the place of a secret becomes a secret input`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "users.sh",
      text: """
        curl -u "$CREDS" http://127.0.0.1:8471/me
        curl -u "me-$CREDS" http://127.0.0.1:8472/me

        """,
      scenario: """
        flow: 1
        inputs:
          CREDS: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              follow: false
              user: ${{ inputs.CREDS.split(':', 2)[0] }}
              password: ${{ inputs.CREDS.split(':', 2)[1] }}
          api2:
            plugin: http
            with:
              follow: false
              user: ${{ ('me-' + inputs.CREDS).split(':', 2)[0] }}
              password: ${{ ('me-' + inputs.CREDS).split(':', 2)[1] }}
        steps:
          - uses: api.get
            with: {url: http://127.0.0.1:8471/me}
          - uses: api2.get
            with: {url: http://127.0.0.1:8472/me}

        """),
    ImportCase(
      name: "places.sh",
      text: """
        curl -H "Authorization: Bearer $FOO" http://127.0.0.1:8471/me
        curl -H "Authorization: Bearer $(cat tok)" -H "X-Api-Key: $K" http://127.0.0.1:8471/me -d "password=$PW"
        TOKEN=$(cat tok); curl -u "me:$TOKEN" "http://127.0.0.1:8471/me?token=$TOKEN&of=$ID" --oauth2-bearer "$TOKEN" -b "sid=$S"

        """,
      scenario: """
        flow: 1
        inputs:
          FOO: {type: string, secret: true}
          output: {type: string, secret: true}
          K: {type: string, secret: true}
          PW: {type: string, secret: true}
          TOKEN: {type: string, secret: true}
          ID: {type: string}
          S: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: http://127.0.0.1:8471, follow: false}}
          api2:
            plugin: http
            with: {base: http://127.0.0.1:8471, follow: false, user: me, password: "${{ inputs.TOKEN }}"}
        steps:
          - uses: api.get
            with: {path: me, headers: {Authorization: "Bearer ${{ inputs.FOO }}"}}
          - uses: api.post
            with:
              path: me
              headers: {Authorization: "Bearer ${{ inputs.output }}", X-Api-Key: "${{ inputs.K }}"}
              form: {password: "${{ inputs.PW }}"}
          - uses: api2.get
            with:
              path: "me?token=${{ inputs.TOKEN }}&of=${{ inputs.ID }}"
              headers: {cookie: "sid=${{ inputs.S }}", authorization: "Bearer ${{ inputs.TOKEN }}"}

        """,
      notes: """
        2: the output of a command is read from the input 'output'
        3: the output of a command is read from the input 'TOKEN'

        """),
    ImportCase(
      name: "bodies.sh",
      text: #"""
        curl https://example.org/a --json "{\"user\": \"$U\", \"token\": \"$T\", \"max_tokens\": $LIMIT, \"pin\": $P}"
        curl https://example.org/b -H 'Content-Type: application/xml' -d "<login><password>$A</password><id>$ID</id></login>"
        curl https://example.org/c -H 'Content-Type: text/plain' -d "session: $B-correct-horse of $U at http://ann:$C@example.org/$ID"
        curl https://example.org/d -F "password=$D" -H "X-Note: token=$E"

        """#,
      scenario: """
        flow: 1
        inputs:
          U: {type: string}
          T: {type: string, secret: true}
          LIMIT: {type: string}
          P: {type: string, secret: true}
          A: {type: string, secret: true}
          ID: {type: string}
          B: {type: string, secret: true}
          C: {type: string, secret: true}
          session: {type: string, secret: true}
          D: {type: string, secret: true}
          E: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - uses: api.post
            with:
              path: a
              headers: {accept: application/json}
              json:
                user: ${{ inputs.U }}
                token: ${{ inputs.T }}
                max_tokens: ${{ inputs.LIMIT }}
                pin: ${{ inputs.P }}
          - uses: api.post
            with:
              path: b
              headers: {Content-Type: application/xml}
              body: "<login><password>${{ inputs.A }}</password><id>${{ inputs.ID }}</id></login>"
          - uses: api.post
            with:
              path: c
              headers: {Content-Type: text/plain}
              body: "session: ${{ inputs.B }}${{ inputs.session }} of ${{ inputs.U }} at http://ann:${{ inputs.C }}@example.org/${{ inputs.ID }}"
          - uses: api.post
            with:
              path: d
              headers: {X-Note: "token=${{ inputs.E }}"}
              multipart: [{name: password, value: "${{ inputs.D }}"}]

        """,
      notes: """
        3: the value of 'session' was removed; pass it with --secret session=@FILE

        """),
    ImportCase(
      name: "outputs.sh",
      text: """
        A=$(date +%s)
        curl -H "X-A: $A" -H "X-B: $(uuidgen)" https://example.org/a
        A="$(date +%s)"
        curl -H "X-A: $A" -H "X-B: at $(uuidgen)" "https://example.org/$A"
        WHEN="at $(date)"
        curl -H "X-When: $WHEN" https://example.org/b

        """,
      scenario: """
        flow: 1
        inputs:
          A: {type: string}
          output: {type: string}
          A_2: {type: string}
          output_2: {type: string}
          output_3: {type: string}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: a, headers: {X-A: "${{ inputs.A }}", X-B: "${{ inputs.output }}"}}
          - uses: api.get
            with:
              path: ${{ inputs.A_2 }}
              headers: {X-A: "${{ inputs.A_2 }}", X-B: "at ${{ inputs.output_2 }}"}
          - uses: api.get
            with: {path: b, headers: {X-When: "at ${{ inputs.output_3 }}"}}

        """,
      notes: """
        1: the output of a command is read from the input 'A'
        2: the output of a command is read from the input 'output'
        3: the output of a command is read from the input 'A_2'
        4: the output of a command is read from the input 'output_2'
        5: the output of a command is read from the input 'output_3'

        """),
    ImportCase(
      name: "places.hurl",
      text: """
        POST https://example.org/login?token={{a}}&of={{id}}
        Authorization: Bearer {{foo}}
        X-Token: {{bar}}
        [Cookies]
        sid: {{s}}
        [Form]
        password: {{b}}
        HTTP 200
        [Captures]
        first: jsonpath "$.items[0]"
        [Asserts]
        jsonpath "$.token" == {{c}}
        jsonpath "$.session" == "{{d}}"
        jsonpath "$.pin" == {{first}}
        jsonpath "$.name" == {{name}}

        POST https://example.org/text
        {"token": "{{e}}", "secrets": [{{f}}], "of": "{{id}}", "pin": "{{first}}"}
        HTTP 200
        X-Token: {{g}}

        """,
      scenario: """
        flow: 1
        inputs:
          a: {type: string, secret: true}
          id: {type: string}
          foo: {type: string, secret: true}
          bar: {type: string, secret: true}
          s: {type: string, secret: true}
          b: {type: string, secret: true}
          c: {type: string, secret: true}
          d: {type: string, secret: true}
          name: {type: any}
          e: {type: string, secret: true}
          f: {type: string, secret: true}
          g: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: post_login
            uses: api.post
            with:
              path: "login?token=${{ inputs.a }}&of=${{ inputs.id }}"
              headers:
                Authorization: "Bearer ${{ inputs.foo }}"
                X-Token: ${{ inputs.bar }}
                cookie: "sid=${{ inputs.s }}"
              form: {password: "${{ inputs.b }}"}
            expect: {status: 200, json: {session: "${{ inputs.d }}"}}
          - set: {first: "${{ steps.post_login.json.items[0] }}"}
          - assert:
              - ${{ steps.post_login.json != null || json(steps.post_login.text) == null }}
              - ${{ steps.post_login.json.token == inputs.c }}
              - ${{ steps.post_login.json.pin == first }}
              - ${{ steps.post_login.json.name == inputs.name }}
          - uses: api.post
            with:
              path: text
              json:
                token: ${{ inputs.e }}
                secrets: ["${{ inputs.f }}"]
                of: ${{ inputs.id }}
                pin: ${{ string(first) }}
            expect: {status: 200, headers: {x-token: "${{ inputs.g in it.split(', ') }}"}}

        """),
    ImportCase(
      name: "blanks.hurl",
      text: """
        POST https://example.org/x
        Authorization: Bearer {{a}} {{b}}
        [Options]
        header: X-Text: one {{a}} two {{b}} three
        [Cookies]
        seen: {{a}} and {{b}}
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          a: {type: string, secret: true}
          b: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.post
            with:
              path: x
              headers:
                Authorization: "Bearer ${{ inputs.a }} ${{ inputs.b }}"
                X-Text: "one ${{ inputs.a }} two ${{ inputs.b }} three"
                cookie: "seen=${{ inputs.a }} and ${{ inputs.b }}"
            expect: {status: 200}

        """),
  ]
}
