import Testing

/// Hurl files and their scenarios.
@Suite struct HurlImportTests {
  @Test(arguments: samples) func `a Hurl file becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "simple.hurl",
      text: """
        # Is it there?
        GET https://example.org

        POST https://example.org/items   # make one
        Accept: application/json
        {"title": "Barn", "price": 12.50, "tags": ["red", null, true], "at": {}}
        HTTP 201
        Content-Type: application/json
        [Asserts]
        jsonpath "$.id" > 0

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          # Is it there?
          - uses: api.get
          - id: post_items
            uses: api.post
            with:
              path: items
              headers: {Accept: application/json}
              json: {title: Barn, price: 12.50, tags: [red, null, true], at: {}}
            expect: {status: 201, headers: {content-type: application/json}}
          - assert:
              - ${{ steps.post_items.json != null || json(steps.post_items.text) == null }}
              - ${{ steps.post_items.json.id > 0 }}

        """),
    ImportCase(
      name: "chain.hurl",
      text: """
        GET {{host}}/login
        HTTP 200
        [Captures]
        csrf_token: jsonpath "$['csrf-token']" redact
        first: jsonpath "$.items[0].id"
        etag: header "ETag"
        page: status
        title: xpath "string(//title)"

        POST {{host}}/items/{{first}}?title={{title}}
        If-Match: {{etag}}
        X-CSRF: {{csrf_token}}
        {
          "first": {{first}},
          "text": "item {{first}} of {{user}}",
          "count": {{count}}
        }
        HTTP 200
        [Asserts]
        jsonpath "$.first" == {{first}}
        jsonpath "$.text" == "item {{first}}"
        jsonpath "$.items[{{index}}].id" exists
        variable "page" == 200

        """,
      scenario: """
        flow: 1
        inputs:
          host: {type: string}
          user: {type: string}
          count: {type: any}
          index: {type: string}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}", follow: false, decompress: false}}
        steps:
          - id: get_login
            uses: api.get
            with: {path: login}
            expect: {status: 200}
            secret: [json.csrf-token]
          - set: {csrf_token: "${{ steps.get_login.json['csrf-token'] }}"}
          - set: {first: "${{ steps.get_login.json.items[0].id }}"}
          - set: {etag: "${{ steps.get_login.headers['etag'] }}"}
          - set: {page: "${{ steps.get_login.status }}"}
          - set:
              title: "${{ (steps.get_login.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_login.text, 'title').first().orValue('') : xml(steps.get_login.text, 'string(//title)')[0]) }}"
          - id: post_items
            uses: api.post
            with:
              path: "items/${{ first }}?title=${{ title }}"
              headers: {If-Match: "${{ etag }}", X-CSRF: "${{ string(csrf_token) }}"}
              json:
                first: ${{ first }}
                text: "item ${{ first }} of ${{ inputs.user }}"
                count: ${{ inputs.count }}
            expect: {status: 200, json: {text: "item ${{ first }}"}}
          - assert:
              - ${{ steps.post_items.json != null || json(steps.post_items.text) == null }}
              - ${{ steps.post_items.json.first == first }}
              - ${{ steps.post_items.json.?items[?int(inputs.index)].?id.hasValue() }}
              - ${{ page == 200 }}

        """,
      notes: ""),
    ImportCase(
      name: "secrets.hurl",
      text: """
        POST https://example.org/login
        HTTP 200
        [Captures]
        session: jsonpath "$.data.token"
        api_key: header "X-Key"
        id: jsonpath "$.id"
        title: xpath "string(//title)" redact

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: post_login
            uses: api.post
            with: {path: login}
            expect: {status: 200}
            secret: [json.data.token, headers.x-key]
          - set: {session: "${{ steps.post_login.json.data.token }}"}
          - set: {api_key: "${{ steps.post_login.headers['x-key'] }}"}
          - set: {id: "${{ steps.post_login.json.id }}"}
          - set:
              title: "${{ (steps.post_login.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.post_login.text, 'title').first().orValue('') : xml(steps.post_login.text, 'string(//title)')[0]) }}"

        """,
      notes: """
        7: 'title' is recorded unhidden; hide it with a pattern under 'redact' in flow.yaml

        """),
    ImportCase(
      name: "bodies.hurl",
      text: """
        POST https://example.org/a
        `one {{name}} line`
        HTTP 200
        `Hello!`

        POST https://example.org/b
        ```
        two
        lines
        ```
        HTTP 200
        ```json
        {"id": 1}
        ```

        POST https://example.org/c
        <?xml version="1.0"?>
        <login>
          <user>ann</user><password>correct-horse</password>
        </login>
        HTTP 204

        POST https://example.org/d
        ```graphql
        query($id: ID) { item(id: $id) { title } }
        variables {"id": "{{id}}"}
        ```
        HTTP 200
        [1, "two"]

        POST https://example.org/e
        base64, SGVsbG8=;
        HTTP 200
        hex, 48 69;

        POST https://example.org/f
        file,data.bin;
        HTTP 200
        file,expected.bin;

        POST https://example.org/g
        hex,ff00;
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          name: {type: string}
          password: {type: string, secret: true}
          id: {type: string}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
          files: {plugin: file}
        steps:
          - uses: api.post
            with: {path: a, body: "one ${{ inputs.name }} line"}
            expect: {status: 200, text: "Hello!"}
          - uses: api.post
            with:
              path: b
              body: |
                two
                lines
            expect:
              status: 200
              text: |
                {"id": 1}
          - uses: api.post
            with:
              path: c
              headers: {content-type: application/xml}
              body: |-
                <?xml version="1.0"?>
                <login>
                  <user>ann</user><password>${{ inputs.password }}</password>
                </login>
            expect: {status: 204}
          - uses: api.post
            with:
              path: d
              json:
                query: "query($id: ID) { item(id: $id) { title } }"
                variables: {id: "${{ inputs.id }}"}
            expect: {status: 200, json: [1, two]}
          - uses: api.post
            with: {path: e, body: Hello}
            expect: {status: 200, text: Hi}
          - id: file
            uses: files.read
            with: {path: expected.bin, as: bytes}
          - id: post_f
            uses: api.post
            with: {path: f, file: data.bin}
            expect: {status: 200}
          - assert:
              - "${{ (steps.post_f.bytes != null ? steps.post_f.bytes : bytes(steps.post_f.text)) == steps.file.bytes }}"
          - uses: api.post
            with: {path: g, bytes: "${{ base64.decode('/wA=') }}"}
            expect: {status: 200}

        """,
      notes: """
        17: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "functions.hurl",
      text: """
        GET {{base}}/items/{{newUuid}}?at={{now urlEncode}}
        HTTP 200
        [Asserts]
        header "Set-Cookie" contains "HttpOnly"
        header "Set-Cookie" startsWith "sid=8f14e45fceea"
        jsonpath "$.token_type" == "Bearer"
        jsonpath "$.access_token" == "abcdefgh"

        """,
      scenario: """
        flow: 1
        inputs:
          base: {type: string}
          now: {type: string}
          sid: {type: string, secret: true}
          access_token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: "${{ inputs.base }}", follow: false, decompress: false}}
          random: {plugin: random}
        steps:
          - id: uuid
            uses: random.uuid
          - id: get_items
            uses: api.get
            with:
              path: "items/${{ steps.uuid.uuid }}?at=${{ url.encodeQuery(inputs.now).replace('%2F', '/') }}"
            expect: {status: 200, json: {token_type: Bearer, access_token: "${{ inputs.access_token }}"}}
          - assert:
              - ${{ steps.get_items.headers['set-cookie'].contains('HttpOnly') }}
              - ${{ steps.get_items.headers['set-cookie'].startsWith('sid=' + inputs.sid) }}

        """,
      notes: """
        5: the value of 'sid' was removed; pass it with --secret sid=@FILE
        7: the value of 'access_token' was removed; pass it with --secret access_token=@FILE

        """),
    ImportCase(
      name: "options.hurl",
      text: """
        GET https://example.org/jobs/{{job}}
        [Options]
        variable: job=7
        variable: password=correct-horse
        delay: 2s
        retry: 10
        retry-interval: 500ms
        max-time: 30s
        connect-timeout: 5
        compressed: true
        verbose: true
        insecure: true
        cacert: ca.pem
        cert: me.pem:secret
        key: me.key
        proxy: localhost:3128
        user: ann:{{password}}
        header: X-Trace: on
        http2: true
        ipv4: false
        aws-sigv4: aws:amz:eu:s3
        repeat: 3
        output: out.bin
        HTTP 200
        [Asserts]
        jsonpath "$.state" == "done"
        xpath "//a" exists

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
          client_key_password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://example.org
              follow: false
              insecure: true
              auth:
                sigv4: {region: eu, service: s3, access_key: ann, secret_key: "${{ inputs.password }}"}
              ca_file: ca.pem
              client_cert: me.pem
              client_key: me.key
              client_key_password: ${{ inputs.client_key_password }}
              connect_timeout: "5s"
              proxy: http://localhost:3128
        steps:
          - for: repetition
            in: [1, 2, 3]
            do:
              - wait: 2s
              # line 19: the option 'http2' is not supported
              # line 23: the option 'output' of an answer that is judged is not supported
              - uses: api.get
                with: {path: jobs/7, headers: {X-Trace: "on"}}
                timeout: 30s
                retry: {attempts: 11, backoff: 500ms}
                expect: "${{ it.status == 200 && (it.json != null || json(it.text) == null) && it.json.state == 'done' && (it.text != '' || it.size == 0) && (size((it.headers[?'content-type'].orValue('').startsWith('text/html') ? html(it.text, 'a') : xml(it.text, '//a'))) > 0) }}"

        """,
      notes: """
        4: the value of 'password' was removed; pass it with --secret password=@FILE
        14: the value of 'client_key_password' was removed; pass it with --secret client_key_password=@FILE
        19: the option 'http2' is not supported
        23: the option 'output' of an answer that is judged is not supported

        """),
    ImportCase(
      name: "sections.hurl",
      text: ##"""
        GET https://example.org/search
        [QueryStringParams]
        q: a b
        page: 2
        page: 3
        [Cookies]
        theme: dark
        [BasicAuth]
        ann: correct-horse
        HTTP *

        POST https://example.org/login
        [Form]
        user: ann
        password: correct-horse
        [Options]
        location: true
        HTTP/1.1 200

        POST https://example.org/photos
        [Multipart]
        title: Barn \#1
        photo: file,barn.jpg; image/jpeg
        HTTP 201

        """##,
      scenario: """
        flow: 1
        inputs:
          cookie_theme: {type: string, secret: true}
          password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://example.org
              follow: false
              decompress: false
              user: ann
              password: ${{ inputs.password }}
          api2: {plugin: http, with: {base: https://example.org, decompress: false}}
          api3: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with:
              path: search
              query: {q: a b, page: ["2", "3"]}
              headers: {cookie: "theme=${{ inputs.cookie_theme }}"}
          - uses: api2.post
            with: {path: login, form: {user: ann, password: "${{ inputs.password }}"}}
            expect: {status: 200}
          - uses: api3.post
            with:
              path: photos
              multipart: [{name: title, value: "Barn #1"}, {name: photo, file: barn.jpg, type: image/jpeg}]
            expect: {status: 201}

        """,
      notes: """
        7: the value of 'cookie theme' was removed; pass it with --secret cookie_theme=@FILE
        9: the value of 'password' was removed; pass it with --secret password=@FILE
        12: this request has different settings, so it uses another component and does not share cookies with the first
        18: the version of HTTP is not compared (1 response)

        """),
  ]
}
