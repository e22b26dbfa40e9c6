import Testing

/// Requests of Hurl files: loops, dates, redirects, and bodies as they are written.
@Suite struct HurlRequestTests {
  @Test(arguments: samples) func `a request is sent as Hurl sends it`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "repeated.hurl",
      text: """
        # Milk the goats.
        POST https://example.org/goats/{{newUuid}}/milk
        [Options]
        repeat: 3
        delay: 5ms
        HTTP 201
        [Captures]
        litres: jsonpath "$.litres"
        repetition: header "X-Pail"
        [Asserts]
        variable "litres" > 1

        PUT https://example.org/pails/{{repetition}}
        [Options]
        repeat: 40
        HTTP *

        DELETE https://example.org/pails
        [Options]
        repeat: 0
        HTTP 200

        GET https://example.org/pails/{{litres}}
        [Options]
        repeat: 1
        HTTP 200

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
          random: {plugin: random}
        steps:
          - id: repeated
            for: repetition
            in: [1, 2, 3]
            do:
              - id: uuid
                uses: random.uuid
              - wait: 5ms
              # Milk the goats.
              - id: post_milk
                uses: api.post
                with: {path: "goats/${{ steps.uuid.uuid }}/milk"}
                expect: {status: 201}
              - set: {litres: "${{ steps.post_milk.json.litres }}"}
              - set: {repetition_value: "${{ steps.post_milk.headers['x-pail'] }}"}
              - assert:
                  - ${{ litres > 1 }}
            outputs: {litres: "${{ litres }}", repetition_value: "${{ repetition_value }}"}
          - set:
              litres: ${{ steps.repeated.litres.last().value() }}
              repetition_value: ${{ steps.repeated.repetition_value.last().value() }}
          - for: repetition
            in: ${{ lists.range(40) }}
            do:
              - uses: api.put
                with: {path: "pails/${{ repetition_value }}"}
          - uses: api.get
            with: {path: "pails/${{ litres }}"}
            expect: {status: 200}

        """,
      notes: """
        18: the request is left out, since its options skip it

        """),
    ImportCase(
      name: "dates.hurl",
      text: """
        POST https://example.org/diary?day={{newDate}}
        {"day": "{{newDate}}", "zone": "{{getEnv TZ}}"}
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          getEnv: {type: string}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
          time: {plugin: time}
        steps:
          - id: now
            uses: time.now
          - id: date
            uses: time.format
            with: {time: "${{ steps.now.time }}", format: "%Y-%m-%dT%H:%M:%S.%L000Z"}
          - id: now_2
            uses: time.now
          - id: date_2
            uses: time.format
            with: {time: "${{ steps.now_2.time }}", format: "%Y-%m-%dT%H:%M:%S.%L000Z"}
          - uses: api.post
            with:
              path: "diary?day=${{ steps.date.text }}"
              json: {day: "${{ steps.date_2.text }}", zone: "${{ inputs.getEnv }}"}
            expect: {status: 200}

        """,
      notes: """
        2: the function 'getEnv' is not supported; its value is the input 'getEnv'
        2: a filter in a template is not supported

        """),
    ImportCase(
      name: "redirected.hurl",
      text: """
        GET https://example.org/maze
        [Options]
        variable: turns=4
        location: true
        max-redirs: {{turns}}
        HTTP 200

        GET https://example.org/maze/endless
        [Options]
        max-redirs: -1
        location: true
        HTTP 200

        GET https://example.org/maze
        [Options]
        max-redirs: 7
        HTTP 302

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, max_redirects: 4, decompress: false}}
          api2: {plugin: http, with: {base: https://example.org, max_redirects: 1000, decompress: false}}
          api3: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {path: maze}
            expect: {status: 200}
          - uses: api2.get
            with: {path: maze/endless}
            expect: {status: 200}
          - uses: api3.get
            with: {path: maze}
            expect: {status: 302}

        """,
      notes: """
        8: this request has different settings, so it uses another component and does not share cookies with the first
        10: redirects are limited to 1000

        """),
    ImportCase(
      name: "written.hurl",
      text: """
        POST https://example.org/nests
        ```json
        {
          "eggs" : {{eggs}},   "bird": "{{bird}}"
        }
        ```
        HTTP 201
        ```json
        { "eggs": 3 }
        ```

        """,
      scenario: """
        flow: 1
        inputs:
          eggs: {type: string}
          bird: {type: string}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.post
            with:
              path: nests
              headers: {content-type: application/json}
              body: |
                {
                  "eggs" : ${{ inputs.eggs }},   "bird": "${{ inputs.bird }}"
                }
            expect:
              status: 201
              text: |
                { "eggs": 3 }

        """),
    ImportCase(
      name: "members.hurl",
      text: """
        POST https://example.org/cages
        {"{{bird}}": 2, "at-{{place}}": {"{{bird}}": 1.50, "password": "s3cret-seed"}, "free": "{{bird}}"}
        HTTP 201
        {"{{bird}}": [true, null]}

        """,
      scenario: """
        flow: 1
        inputs:
          bird: {type: string}
          place: {type: string}
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.post
            with:
              path: cages
              json: "${{ {inputs.bird: 2, 'at-' + string(inputs.place): {inputs.bird: decimal('1.50'), 'password': inputs.password}, 'free': inputs.bird} }}"
            expect: {status: 201, json: "${{ it == {inputs.bird: [true, null]} }}"}

        """,
      notes: """
        2: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "nulls.hurl",
      text: """
        GET https://example.org/{{bird}}
        X-Ring: {{ring}}
        HTTP 200
        [Asserts]
        variable "ring" == null
        variable "bird" != "owl"

        """,
      scenario: """
        flow: 1
        inputs:
          bird: {type: any}
          ring: {type: any}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with:
              path: ${{ string(inputs.bird) }}
              headers: {X-Ring: "${{ '%s'.format([inputs.ring]) }}"}
            expect: {status: 200}
          - assert:
              - ${{ inputs.ring == null }}
              - ${{ inputs.bird != 'owl' }}

        """),
    ImportCase(
      name: "large.hurl",
      text: """
        GET https://example.org/stars
        HTTP 200
        [Asserts]
        jsonpath "$.all" == 300000000000000000000001
        jsonpath "$.near" < -200000000000000000000007
        jsonpath "$.seen" == 4611686018427387907
        jsonpath "$.text" toFloat < 300000000000000000000001
        jsonpath "$.names" count < 300000000000000000000001

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_stars
            uses: api.get
            with: {path: stars}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_stars.json != null || json(steps.get_stars.text) == null }}
              - ${{ steps.get_stars.json.all == decimal('300000000000000000000001') }}
              - ${{ steps.get_stars.json.near < decimal('-200000000000000000000007') }}
              - ${{ steps.get_stars.json.seen == 4611686018427387907 }}
              - ${{ dyn(double(steps.get_stars.json.text)) < decimal('300000000000000000000001') }}
              - ${{ type(steps.get_stars.json.names) == list && dyn(size(steps.get_stars.json.names)) < decimal('300000000000000000000001') }}

        """),
    ImportCase(
      name: "sizes.hurl",
      text: """
        GET https://example.org/song
        HTTP 200
        Content-Length: 4321

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {path: song}
            expect: {status: 200, headers: {content-length: "4321"}}

        """),
    ImportCase(
      name: "uncoded.hurl",
      text: """
        GET https://example.org/song
        HTTP 200
        [Asserts]
        header "Content-Encoding" not exists

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_song
            uses: api.get
            with: {path: song}
            expect: {status: 200}
          - assert:
              - ${{ !('content-encoding' in steps.get_song.headers) }}

        """),
    ImportCase(
      name: "encoded.hurl",
      text: """
        GET https://example.org/song
        [Options]
        compressed: true
        HTTP 200
        Content-Length: 1234
        [Asserts]
        header "Content-Encoding" == "gzip"

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: song}
            expect: {status: 200, headers: {content-length: "1234", content-encoding: gzip}}

        """),
    ImportCase(
      name: "options.hurl",
      text: #"""
        GET https://x.example/a
        [Options]
        digest: true
        user: ann:correct-horse
        HTTP 200

        GET https://x.example/b/../c
        X-Amz-Security-Token: token-4711
        [Options]
        path-as-is: true
        user: AKID:correct-stable
        aws-sigv4: aws:amz:eu-west-1:s3
        HTTP 200

        GET http://shed/d
        [Options]
        unix-socket: run/shed.sock
        output: d.txt
        proxy: http://ann:correct-horse@proxy.example:3128
        HTTP 200

        POST https://x.example/e
        [Options]
        ntlm: true
        user: ann:correct-horse
        output: e.txt
        hex,fffe;
        HTTP 200
        [Asserts]
        body == "x"

        """#,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
          x_amz_security_token: {type: string, secret: true}
          password_2: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              follow: false
              decompress: false
              auth: {digest: {user: ann, password: "${{ inputs.password }}"}}
          api2:
            plugin: http
            with:
              follow: false
              decompress: false
              auth:
                sigv4:
                  region: eu-west-1
                  service: s3
                  access_key: AKID
                  secret_key: ${{ inputs.password_2 }}
                  session_token: ${{ inputs.x_amz_security_token }}
          api3:
            plugin: http
            with: {base: http://shed, follow: false, decompress: false, unix_socket: run/shed.sock}
          api4: {plugin: http, with: {follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {url: https://x.example/a}
            expect: {status: 200}
          - uses: api2.get
            with: {url: https://x.example/b/../c, path_as_is: true}
            expect: {status: 200}
          # line 15: a proxy beside a socket is not supported
          - uses: api3.get
            with: {path: d, to: d.txt}
            expect: {status: 200}
          # line 24: the option 'ntlm' is not supported
          # line 26: the option 'output' of an answer that is judged is not supported
          - uses: api4.post
            with: {url: https://x.example/e, bytes: "${{ base64.decode('//4=') }}"}
            expect: {status: 200, text: x}

        """,
      notes: """
        4: the value of 'password' was removed; pass it with --secret password=@FILE
        7: this request has different settings, so it uses another component and does not share cookies with the first
        8: the value of 'X-Amz-Security-Token' was removed; pass it with --secret x_amz_security_token=@FILE
        11: the value of 'password' was removed; pass it with --secret password_2=@FILE
        15: a proxy beside a socket is not supported
        24: the option 'ntlm' is not supported
        26: the option 'output' of an answer that is judged is not supported

        """),
    ImportCase(
      name: "coded.hurl",
      text: #"""
        GET https://x.example/a
        [Options]
        compressed: true
        HTTP 200

        GET https://x.example/b
        HTTP 200

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://x.example, follow: false}}
        steps:
          - uses: api.get
            with: {path: a}
            expect: {status: 200}
          - uses: api.get
            with: {path: b, headers: {accept-encoding: null}}
            expect: {status: 200}

        """),
    ImportCase(
      name: "routes.hurl",
      text: #"""
        GET http://barn.example/a
        [Options]
        connect-to: shed.example:80:localhost:9
        connect-to: barn.example:80:localhost:8000
        HTTP 200

        GET http://barn.example:8000/b
        Content-Length: 0
        [Options]
        resolve: barn.example:8000:127.0.0.1
        HTTP 200

        GET https://barn.example/c
        [Options]
        resolve: *:443:::1
        HTTP 200

        # @cookie_storage_clear
        GET http://{{host}}/d
        [Options]
        connect-to: ::[::1]:8000
        connect-to: nonsense
        HTTP 200

        """#,
      scenario: """
        flow: 1
        inputs:
          host: {type: string}
        components:
          api: {plugin: http, with: {follow: false, decompress: false}}
        steps:
          - uses: api.get
            with: {url: http://localhost:8000/a, headers: {host: barn.example}}
            expect: {status: 200}
          # line 7: the header 'content-length' is not supported
          - uses: api.get
            with: {url: http://127.0.0.1:8000/b, headers: {host: barn.example:8000}}
            expect: {status: 200}
          # line 15: the option 'resolve' is not supported
          - uses: api.get
            with: {url: https://barn.example/c}
            expect: {status: 200}
          # @cookie_storage_clear
          # line 22: the option 'connect-to' is not supported
          # line 21: the option 'connect-to' is not supported
          - uses: api.get
            with: {url: "http://${{ inputs.host }}/d"}
            expect: {status: 200}

        """,
      notes: """
        7: the header 'content-length' is not supported
        15: the option 'resolve' is not supported
        19: a comment that changes the stored cookies is not supported
        21: the option 'connect-to' is not supported
        22: the option 'connect-to' is not supported

        """),
  ]
}
