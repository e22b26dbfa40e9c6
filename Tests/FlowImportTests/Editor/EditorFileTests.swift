import FlowImport
import Testing

/// Files of requests of editors, and their scenarios.
@Suite struct EditorFileTests {
  @Test(arguments: samples) func `a file of an editor becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  @Test func `a value comes from one of the environments of a file`() throws {
    let environments = """
      {"$shared": {"version": "v1", "host": "https://shared.example.org"},
       "dev": {"host": "http://localhost:5000"}, "live": {"host": "https://example.org"}}
      """
    var source = ImportSource(name: "a.http", bytes: Array("GET {{host}}/{{version}}\n".utf8))

    source.environments = [("http-client.env.json#dev", Array(environments.utf8))]
    #expect(
      try Import(source).scenario.contains("host: {type: string, default: http://localhost:5000}"))
    #expect(try Import(source).scenario.contains("version: {type: string, default: v1}"))

    source.environments = [("http-client.env.json", Array(environments.utf8))]
    #expect {
      _ = try Import(source)
    } throws: { error in
      (error as? ImportError)?.message
        == "'http-client.env.json', line 1: choose one of its environments with '#NAME' behind the "
        + "file: dev, live"
    }
  }

  @Test func `a folder of files becomes a scenario for each`() throws {
    var source = ImportSource(name: "requests", bytes: [])
    source.files = [
      .init(path: "a.http", bytes: Array("@n = 1\nGET http://a.example.org/{{n}}\n".utf8)),
      .init(path: "b/c.rest", bytes: Array("\n> x\nGET http://b.example.org/{{$nothing}}\n".utf8)),
    ]

    let parts = try Import.parts(of: source)

    #expect(parts.map(\.fileName) == ["a", "b-c"])
    #expect(parts[0].scenario.contains("n\": {type: string, default: \"1\"}"))
    #expect(!parts[1].scenario.contains("default"))
    #expect(parts[1].notes.first?.file == "b/c.rest")
  }

  @Test(arguments: [
    ("a.txt", "### Log in\nGET http://a.example.org\n", true),
    ("a.txt", "# @name login\nGET http://a.example.org\n", true),
    ("a.txt", "GET http://a.example.org\n", false),
  ])
  func `a text with separators or names is a file of an editor, and else one of Hurl`(
    _ name: String, _ text: String, _ isEditor: Bool
  ) throws {
    let result = try Import(reading: Array(text.utf8), named: name)

    #expect(result.scenario.contains("name: Log in") == text.hasPrefix("###"))
    #expect(result.scenario.contains("follow: false") == !isEditor)
  }

  @Test(arguments: [
    ("{{login.response.body.$.token}}", "secret: [json.token]"),
    ("{{login.response.body.data[0].api_key}}", #"secret: ["json.data[0].api_key"]"#),
    ("{{login.response.headers.X-Auth-Token}}", "secret: [headers.x-auth-token]"),
    ("{{session_token}}", "secret: [text]"),
    ("{{first_password}}", #"secret: ["json.list[0].value"]"#),
    ("{{login.response.body.$.user}}", nil),
    ("{{login.response.body.$..token}}", nil),
    ("{{login.response.headers.ETag}}", nil),
  ])
  func `a part of an answer with a secret name is hidden at its step`(
    _ value: String, _ secret: String?
  ) throws {
    let text = """
      @session_token = {{login.response.body.*}}
      @first_password = {{login.response.body.$.list[0].value}}
      # @name login
      POST http://a.example.org/login

      ###
      GET http://a.example.org/orders
      X-Value: \(value)

      """

    let scenario = try Import(reading: Array(text.utf8), named: "a.http").scenario

    let lines = scenario.split(separator: "\n").filter { $0.contains("secret:") }
    #expect(lines.map { String($0.drop { $0 == " " }) } == (secret.map { [$0] } ?? []))
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "shop.http",
      text: #"""
        @host = https://shop.example.org
        @token = {{login.response.body.$.token}}

        ### Log in
        # @name login
        POST {{host}}/login HTTP/1.1
        Content-Type: application/x-www-form-urlencoded

        user=ann
        &password=correct-horse

        ### The orders
        # @no-redirect
        // a comment
        GET {{host}}/orders
            ?page={{$randomInt 1 5}}
            &at={{$timestamp -1 d}}
        Authorization: Bearer {{token}}
        X-Id: {{$uuid}}
        X-Etag: {{login.response.headers.ETag}}

        ###

        # @timeout 5
        POST {{host}}/orders
        Authorization: Basic ann correct-horse

        {"title": "Barn", "price": {{price}}}

        > {%
            client.test("created", function() {
              client.assert(response.status === 201, "no");
            });
            client.global.set("order", response.body.id);
            client.exit();
        %}

        ### {{$processEnv ORDER}}
        DELETE {{host}}/orders/{{order}}
        X-User: {{$dotenv USER}}

        ###
        WEBSOCKET ws://shop.example.org/events

        """#,
      scenario: #"""
        flow: 1
        name: shop
        inputs:
          host: {type: string, default: https://shop.example.org}
          password: {type: string, secret: true}
          price: {type: any}
          USER: {type: string}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}"}}
          api2: {plugin: http, with: {base: "${{ inputs.host }}", follow: false}}
          api3:
            plugin: http
            with: {base: "${{ inputs.host }}", user: ann, password: "${{ inputs.password }}"}
          random: {plugin: random}
          time: {plugin: time}
        steps:
          - id: post_login
            name: Log in
            uses: api.post
            with: {path: login, form: {user: ann, password: "${{ inputs.password }}"}}
            secret: [json.token]
          - id: number
            uses: random.integer
            with: {min: 1, max: 4}
          - id: now
            uses: time.now
          - id: uuid
            uses: random.uuid
          - name: The orders
            uses: api2.get
            with:
              path: "orders?page=${{ steps.number.value }}&at=${{ int(steps.now.time + duration('-1440m')) }}"
              headers:
                authorization: "Bearer ${{ steps.post_login.json.token }}"
                x-id: ${{ steps.uuid.uuid }}
                x-etag: ${{ steps.post_login.headers['etag'] }}
          # line 35: 'client.exit' in a script is not supported
          # line 24: the directive '@timeout' is not supported
          - id: post_orders
            uses: api3.post
            with: {path: orders, json: {title: Barn, price: "${{ inputs.price }}"}}
            expect: {status: 201}
          - set: {order: "${{ steps.post_orders.json.id }}"}
          - name: "{{$processEnv ORDER}}"
            uses: api.delete
            with: {path: "orders/${{ order }}", headers: {x-user: "${{ inputs.USER }}"}}

        """#,
      notes: """
        9: the value of 'password' was removed; pass it with --secret password=@FILE
        15: this request has different settings, so it uses another component and does not share cookies with the first
        24: the directive '@timeout' is not supported
        35: 'client.exit' in a script is not supported
        43: a request of the kind 'WEBSOCKET' is left out

        """),
    ImportCase(
      name: "bodies.rest",
      text: #"""
        POST http://a.example.org/file
        Content-Type: application/json

        < ./data/order.json

        ###
        POST http://a.example.org/file
        Content-Type: application/json

        <@ order.json

        ###
        POST http://a.example.org/form
        Content-Type: multipart/form-data; boundary=Line

        --Line
        Content-Disposition: form-data; name="title"

        Barn
        --Line
        Content-Disposition: form-data; name="photo"; filename="barn.jpg"
        Content-Type: image/jpeg

        < ./barn.jpg
        --Line--

        >> answer.json

        ###
        POST http://a.example.org/graphql
        X-REQUEST-TYPE: GraphQL

        query ($id: ID!) {
          item(id: $id) { title }
        }

        {"id": {{id}}}

        ###
        GET /items HTTP/1.1
        Host: a.example.org

        > handler.js

        """#,
      scenario: #"""
        flow: 1
        name: bodies
        inputs:
          id: {type: any}
        components:
          api: {plugin: http, with: {base: http://a.example.org}}
        steps:
          - uses: api.post
            with: {path: file, headers: {content-type: application/json}, file: order.json}
          # line 10: replacing variables in a file is not supported
          - uses: api.post
            with: {path: file, headers: {content-type: application/json}, file: order.json}
          # line 27: the file for the answer is not supported
          - uses: api.post
            with:
              path: form
              multipart: [{name: title, value: Barn}, {name: photo, file: barn.jpg, type: image/jpeg}]
          - uses: api.post
            with:
              path: graphql
              json:
                query: |-
                  query ($id: ID!) {
                    item(id: $id) { title }
                  }
                variables: {id: "${{ inputs.id }}"}
          # line 43: a script in a file is not supported
          - uses: api.get
            with: {path: items}

        """#,
      notes: """
        4: put the file 'order.json' into the scenario's folder; its content is not copied
        10: put the file 'order.json' into the scenario's folder; its content is not copied
        10: replacing variables in a file is not supported
        21: put the file 'barn.jpg' into the scenario's folder; its content is not copied
        27: the file for the answer is not supported
        43: a script in a file is not supported

        """),
    ImportCase(
      name: "details.http",
      text: #"""
        GET https://x.example/a HTTP/2 (Prior Knowledge)
        Authorization: Basic {{ user }} {{ password }}

        <> a.200.json

        ###
        POST https://x.example/graphql
        X-Request-Type: GraphQL
        X-GraphQL-Operation: Items

        query Items { items }

        ###
        # @no-cookie-jar
        GET https://x.example/a
        Authorization: Cognito ann correct-horse eu pool client

        ###
        POST https://x.example/a
        Content-Type: multipart/form-data; boundary=line

        --line
        Content-Disposition: form-data; filename="b.csv"; name="a"
        X-Part: 1

        1,2
        --line--

        """#,
      scenario: #"""
        flow: 1
        name: details
        inputs:
          user: {type: string}
          password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with: {base: https://x.example, user: "${{ inputs.user }}", password: "${{ inputs.password }}"}
          api2: {plugin: http, with: {base: https://x.example}}
        steps:
          - uses: api.get
            with: {path: a}
          - uses: api2.post
            with: {path: graphql, json: {query: "query Items { items }", operationName: Items}}
          # line 14: the directive '@no-cookie-jar' is not supported
          # line 15: the authentication 'cognito' is not supported
          - uses: api2.get
            with: {path: a}
          - uses: api2.post
            with: {path: a, multipart: [{name: a, value: "1,2", filename: b.csv, headers: {X-Part: "1"}}]}

        """#,
      notes: """
        4: skipped 1 saved answer
        7: this request has different settings, so it uses another component and does not share cookies with the first
        14: the directive '@no-cookie-jar' is not supported
        15: the authentication 'cognito' is not supported

        """),
  ]
}
