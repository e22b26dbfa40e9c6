import FlowImport
import Testing

/// Collections of Bruno and their scenarios.
@Suite struct BrunoFolderTests {
  private static let files: [(path: String, text: String)] = [
    ("bruno.json", #"{"version": "1", "name": "Shop", "type": "collection"}"#),
    (
      "collection.bru",
      """
      auth {
        mode: bearer
      }

      auth:bearer {
        token: {{token}}
      }

      headers {
        X-App: shop
        X-Title: none
      }

      vars:pre-request {
        version: v2
      }
      """
    ),
    ("environments/dev.bru", "vars {\n  host: http://localhost:5000\n}\nvars:secret [\n  key\n]\n"),
    (
      "orders/folder.bru",
      "meta {\n  name: All orders\n  seq: 1\n}\n\ntests {\n  test('fast', () => {\n    expect(res.responseTime).to.be.below(900)\n  })\n}\n"
    ),
    (
      "orders/second.bru",
      """
      meta {
        name: One order
        type: http
        seq: 2
      }

      get {
        url: {{host}}/{{version}}/orders/:id?old=1
        body: none
        auth: inherit
      }

      params:query {
        full: true
        ~old: 1
      }

      params:path {
        id: {{order}}
      }

      assert {
        res.status: eq 200
        res.body.title: isString
        res.body.price: gt 5
        ~res.body.old: eq 1
        res.body.state: in open, closed
        res.body.odd: strange 5
      }
      """
    ),
    (
      "orders/first.bru",
      """
      meta {
        name: Add
        type: http
        seq: 1
      }

      post {
        url: {{host}}/{{version}}/orders
        body: json
        auth: none
      }

      headers {
        X-Title: {{title}}
      }

      body:json {
        {
          "title": "{{title}}"
        }
      }

      body:text {
        not selected
      }

      vars:pre-request {
        title: Barn
      }

      vars:post-response {
        order: res.body.id
      }

      script:pre-request {
        req.setBody({})
      }

      settings {
        followRedirects: false
        timeout: 500
        maxRedirects: 5
      }
      """
    ),
    ("users/new.bru", "meta {\n  name: Events\n  type: ws\n}\n\nws {\n  url: ws://x\n}\n"),
    (
      "users/upload.bru",
      """
      meta {
        name: Picture
        seq: 3
      }

      put {
        url: {{host}}/picture
      }

      body:multipart-form {
        title: Barn
        photo: @file(/home/ann/barn.jpg) @contentType(image/jpeg)
      }

      auth:oauth2 {
        grant_type: password
      }
      """
    ),
  ]

  private static func source(_ files: [(path: String, text: String)]) -> ImportSource {
    var source = ImportSource(name: "bruno", bytes: [])
    source.files = files.map { .init(path: $0.path, bytes: Array($0.text.utf8)) }
    return source
  }

  private static func notes(_ result: Import) -> String {
    result.notes.map { "\($0.file ?? ""):\($0.line): \($0.message)\n" }.joined()
  }

  @Test func `a folder of Bruno becomes a scenario for each of its folders`() async throws {
    var source = Self.source(Self.files)
    source.environments = [("environments/dev.bru", Array(Self.files[2].text.utf8))]

    let parts = try Import.parts(of: source)

    #expect(parts.map(\.fileName) == ["all-orders", "users"])
    #expect(
      parts[0].scenario == #"""
        flow: 1
        name: All orders
        tags: [all-orders]
        inputs:
          host: {type: string, default: http://localhost:5000}
          version: {type: string, default: v2}
          token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}", follow: false}}
          api2: {plugin: http, with: {base: "${{ inputs.host }}"}}
        steps:
          # orders/first.bru, line 36: 'req.setBody' in a script is not supported
          - id: post_orders
            name: Add
            uses: api.post
            with:
              path: "${{ inputs.version }}/orders"
              headers: {x-app: shop, x-title: Barn}
              json: {title: Barn}
            timeout: 500ms
          - assert:
              - ${{ steps.post_orders.elapsed < duration('900ms') }}
          - set: {order: "${{ steps.post_orders.json.id }}"}
          - id: get_orders
            name: One order
            uses: api2.get
            with:
              path: "${{ inputs.version }}/orders/${{ order }}?full=true"
              headers: {x-app: shop, x-title: none, authorization: "Bearer ${{ inputs.token }}"}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_orders.elapsed < duration('900ms') }}
              - ${{ type(steps.get_orders.json.title) == string }}
              - ${{ steps.get_orders.json.price > 5 }}
              - ${{ steps.get_orders.json.state in ['open', 'closed'] }}
              - ${{ steps.get_orders.json.odd == 'strange 5' }}

        """#)
    #expect(
      Self.notes(parts[0]) == """
        orders/second.bru:7: this request has different settings, so it uses another component and does not share cookies with the first
        orders/second.bru:15: the disabled query parameter 'old' is left out
        orders/first.bru:36: 'req.setBody' in a script is not supported

        """)
    #expect(
      parts[1].scenario == #"""
        flow: 1
        name: users
        tags: [users]
        inputs:
          host: {type: string, default: http://localhost:5000}
          access_token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}"}}
        steps:
          - name: Picture
            uses: api.put
            with:
              path: picture
              headers: {x-app: shop, x-title: none, authorization: "Bearer ${{ inputs.access_token }}"}
              multipart: [{name: title, value: Barn}, {name: photo, file: barn.jpg, type: image/jpeg}]

        """#)
    #expect(
      Self.notes(parts[1]) == """
        users/new.bru:2: a request of the kind 'ws' is left out
        users/upload.bru:6: a token of the grant 'password' is not fetched; it is the input 'access_token'
        users/upload.bru:12: put the file 'barn.jpg' into the scenario's folder; its content is not copied

        """)
    for part in parts { #expect(try await CheckedScenario(part.scenario).problems == "") }
  }

  @Test func `a folder in YAML becomes a scenario, in the order of its requests`() async throws {
    let source = Self.source([
      (
        "opencollection.yml",
        """
        opencollection: 1.0.0
        info: {name: Shop}
        request:
          auth: {type: basic, username: ann, password: correct-horse}
          scripts:
            - type: tests
              code: |
                test("ok", () => {
                  expect(res.status).to.be.below(300);
                });
        """
      ),
      (
        "b.yml",
        """
        info: {name: Second, type: http, seq: 2}
        http:
          method: GET
          url: "{{host}}/orders/:id"
          params:
            - {name: id, value: "{{order}}", type: path}
            - {name: full, value: "true", type: query}
            - {name: old, value: "1", type: query, disabled: true}
          auth: inherit
        runtime:
          assertions:
            - {expression: res.body.title, operator: eq, value: Barn}
            - {expression: res.body.items, operator: length, value: "2"}
        """
      ),
      (
        "a.yml",
        """
        info: {name: First, type: http, seq: 1}
        http:
          method: POST
          url: "{{host}}/orders"
          body:
            type: json
            data: |-
              {"title": "Barn"}
          auth: none
        runtime:
          scripts:
            - type: after-response
              code: |-
                bru.setVar("order", res.body.id);
                req.setMaxRedirects(1);
        settings: {followRedirects: false}
        """
      ),
    ])

    let result = try Import(source)

    #expect(
      result.scenario == #"""
        flow: 1
        name: Shop
        inputs:
          host: {type: string}
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}", follow: false}}
          api2:
            plugin: http
            with: {base: "${{ inputs.host }}", user: ann, password: "${{ inputs.password }}"}
        steps:
          # a.yml, line 15: 'req.setMaxRedirects' in a script is not supported
          - id: post_orders
            name: First
            uses: api.post
            with: {path: orders, json: {title: Barn}}
          - assert:
              - ${{ steps.post_orders.status < 300 }}
          - set: {order: "${{ steps.post_orders.json.id }}"}
          - id: get_orders
            name: Second
            uses: api2.get
            with: {path: "orders/${{ order }}?full=true"}
          - assert:
              - ${{ steps.get_orders.status < 300 }}
              - ${{ steps.get_orders.json.title == 'Barn' }}
              - ${{ size(steps.get_orders.json.items) == 2 }}

        """#)
    #expect(
      Self.notes(result) == """
        opencollection.yml:4: the value of 'password' was removed; pass it with --secret password=@FILE
        b.yml:3: this request has different settings, so it uses another component and does not share cookies with the first
        b.yml:8: the disabled query parameter 'old' is left out
        a.yml:15: 'req.setMaxRedirects' in a script is not supported

        """)
    #expect(try await CheckedScenario(result.scenario).problems == "")
  }

  @Test(arguments: samples) func `a request of Bruno alone is a scenario`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "one.bru",
      text: """
        meta {
          name: One
        }

        get {
          url: https://a.example.org
        }

        assert {
          res.status: eq 200
        }

        """,
      scenario: """
        flow: 1
        name: one
        components:
          api: {plugin: http, with: {base: https://a.example.org}}
        steps:
          - name: One
            uses: api.get
            expect: {status: 200}

        """),
    ImportCase(
      name: "two.bru",
      text: #"""
        meta {
          name: Two
        }

        put {
          url: https://a.example.org
        }

        auth:oauth2 {
          grant_type: client_credentials
          access_token_url: https://id.example.org/token
          client_id: shop
          client_secret: correct-horse
          token_header_prefix: Token
        }

        auth:oauth2:additional_params:access_token_req:body {
          tenant: a
        }

        auth:oauth2:additional_params:access_token_req:headers {
          x-a: 1
        }

        body:file {
          file: @file(/home/ann/a.png) @contentType(image/png)
          ~file: @file(b.png)
        }

        settings {
          encodeUrl: false
          maxRedirects: 3
          cache: true
        }

        example {
          name: Saved
        }

        """#,
      scenario: #"""
        flow: 1
        name: two
        inputs:
          client_secret: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://a.example.org
              max_redirects: 3
              auth:
                oauth2:
                  token_url: https://id.example.org/token
                  client_id: shop
                  client_secret: ${{ inputs.client_secret }}
                  parameters: {tenant: a}
        steps:
          # line 22: the parameter 'x-a' of a token is not supported
          # line 5: a token elsewhere than behind 'Bearer' is not supported
          # line 33: the setting 'cache' is not supported
          - name: Two
            uses: api.put
            with: {headers: {content-type: image/png}, file: a.png, path_as_is: true}

        """#,
      notes: """
        5: the value of 'client_secret' was removed; pass it with --secret client_secret=@FILE
        5: a token elsewhere than behind 'Bearer' is not supported
        22: the parameter 'x-a' of a token is not supported
        26: put the file 'a.png' into the scenario's folder; its content is not copied
        33: the setting 'cache' is not supported
        36: skipped 1 saved answer

        """),
    ImportCase(
      name: "three.bru",
      text: #"""
        meta {
          name: Three
        }

        post {
          url: https://a.example.org
        }

        body:multipart-form {
          a: @file(a.txt|/home/ann/b.txt) @contentType(text/csv)
        }

        """#,
      scenario: #"""
        flow: 1
        name: three
        components:
          api: {plugin: http, with: {base: https://a.example.org}}
        steps:
          - name: Three
            uses: api.post
            with:
              multipart: [{name: a, file: a.txt, type: text/csv}, {name: a, file: b.txt, type: text/csv}]

        """#,
      notes: """
        10: put the file 'a.txt' into the scenario's folder; its content is not copied
        10: put the file 'b.txt' into the scenario's folder; its content is not copied

        """),
  ]

  @Test func `a token of the YAML form has its parameters and its place`() throws {
    let text = """
      info: {name: Token, type: http}
      http:
        method: GET
        url: https://a.example.org
        auth:
          type: oauth2
          flow: client_credentials
          accessTokenUrl: https://id.example.org/token
          credentials: {clientId: shop, clientSecret: correct-horse, placement: body}
          additionalParameters:
            accessTokenRequest:
              - {name: tenant, value: a, placement: body}
      """

    let result = try Import(reading: Array(text.utf8), named: "a.yml", as: .bruno)

    #expect(
      result.scenario == """
        flow: 1
        name: a
        inputs:
          client_secret: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://a.example.org
              auth:
                oauth2:
                  token_url: https://id.example.org/token
                  client_id: shop
                  client_secret: ${{ inputs.client_secret }}
                  parameters: {tenant: a}
                  credentials: body
        steps:
          - name: Token
            uses: api.get

        """)
  }

  @Test(arguments: ["http", "shop.har", "sh"])
  func `the name of a folder does not tell its format`(_ name: String) throws {
    var source = ImportSource(name: name, bytes: [])
    source.files = [.init(path: "a.bru", bytes: Array("get {\n  url: https://a.example\n}\n".utf8))]

    #expect(try Import(source).scenario.contains("base: https://a.example"))
  }

  @Test func `a request without an address is a note`() throws {
    let text = "meta {\n  name: a\n}\n\nget {\n  url:\n}\n"

    let result = try Import(reading: Array(text.utf8), named: "a.bru")

    #expect(Self.notes(result) == ":5: a request without an address is left out\n")
  }

  @Test(arguments: [
    ("x\n", "'a.bru', line 1: expected a block such as 'meta {'"),
    ("meta {\n  name: a\n", "'a.bru', line 1: the block has no end"),
  ])
  func `a broken file is an error with its line`(_ text: String, _ message: String) {
    #expect {
      _ = try Import(reading: Array(text.utf8), named: "a.bru")
    } throws: { error in
      (error as? ImportError)?.message == message
    }
  }
}
