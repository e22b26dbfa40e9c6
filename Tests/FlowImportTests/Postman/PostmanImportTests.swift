import FlowImport
import Testing

/// Collections of Postman and their scenarios.
@Suite struct PostmanImportTests {
  @Test(arguments: samples) func `a collection becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "shop.postman_collection.json",
      text: #"""
        {
          "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
          "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
          "variable": [
            {"key": "base", "value": "https://shop.example.org/{{version}}"},
            {"key": "version", "value": "v2"},
            {"key": "token", "value": "tok-12345678"},
            {"key": "old", "value": "x", "disabled": true}
          ],
          "item": [
            {
              "name": "Items",
              "item": [
                {
                  "name": "One item",
                  "request": {
                    "method": "GET",
                    "header": [
                      {"key": "Accept", "value": "application/json"},
                      {"key": "X-Old", "value": "1", "disabled": true}
                    ],
                    "url": {
                      "raw": "{{base}}/items/:id?full=1&old=1",
                      "variable": [{"key": "id", "value": "a/b"}],
                      "query": [
                        {"key": "full", "value": "1"},
                        {"key": "old", "value": "1", "disabled": true}
                      ]
                    }
                  }
                },
                {
                  "name": "Add",
                  "request": {
                    "auth": {"type": "noauth"},
                    "method": "POST",
                    "url": "{{base}}/items",
                    "body": {
                      "mode": "raw",
                      "raw": "{\"title\": \"{{title}}\", \"price\": {{price}}, \"key\": \"tok-12345678\"}",
                      "options": {"raw": {"language": "json"}}
                    }
                  }
                }
              ]
            }
          ]
        }

        """#,
      scenario: #"""
        flow: 1
        name: Shop
        inputs:
          version: {type: string, default: v2}
          token: {type: string, secret: true}
          title: {type: string}
          price: {type: any}
        components:
          api: {plugin: http, with: {base: https://shop.example.org}}
        steps:
          - name: One item
            uses: api.get
            with:
              path: "${{ inputs.version }}/items/a%2Fb?full=1"
              headers: {accept: application/json, authorization: "Bearer ${{ inputs.token }}"}
          - name: Add
            uses: api.post
            with:
              path: "${{ inputs.version }}/items"
              json: {title: "${{ inputs.title }}", price: "${{ inputs.price }}", key: "${{ inputs.token }}"}

        """#,
      notes: """
        7: the value of 'token' was removed; pass it with --secret token=@FILE
        8: the disabled variable 'old' is left out
        20: the disabled header 'X-Old' is left out
        27: the disabled query parameter 'old' is left out

        """),
    ImportCase(
      name: "scripts.postman_collection.json",
      text: #"""
        {
          "info": {"name": "Scripts"},
          "item": [
            {
              "name": "Log in",
              "event": [
                {"listen": "prerequest", "script": {"exec": ["pm.sendRequest('x')"]}},
                {
                  "listen": "test",
                  "script": {
                    "exec": [
                      "pm.test('ok', function () {",
                      "  pm.response.to.have.status(200);",
                      "});",
                      "const json = pm.response.json();",
                      "pm.environment.set('token', json.token);",
                      "pm.expect(json.user).to.eql('ann');",
                      "pm.expect(json.tags).to.include('a');"
                    ]
                  }
                }
              ],
              "request": {"method": "POST", "url": "shop.example.org/login"}
            },
            {
              "name": "Orders of {{$guid}}",
              "request": {
                "method": "GET",
                "header": [{"key": "Authorization", "value": "Token {{token}}"}],
                "url": "shop.example.org/orders?at={{$timestamp}}&as={{$randomFirstName}}"
              }
            }
          ]
        }

        """#,
      scenario: #"""
        flow: 1
        name: Scripts
        inputs:
          randomFirstName: {type: string}
        components:
          api: {plugin: http, with: {base: http://shop.example.org}}
          time: {plugin: time}
        steps:
          # line 7: 'pm.sendRequest' in a script is not supported
          # line 18: 'pm.expect' in a script is not supported
          - id: post_login
            name: Log in
            uses: api.post
            with: {path: login}
            expect: {status: 200}
            secret: [json.token]
          - set: {token: "${{ steps.post_login.json.token }}"}
          - assert:
              - ${{ steps.post_login.json.user == 'ann' }}
          - id: now
            uses: time.now
          - name: "Orders of {{$guid}}"
            uses: api.get
            with:
              path: "orders?at=${{ int(steps.now.time) }}&as=${{ inputs.randomFirstName }}"
              headers: {authorization: "Token ${{ token }}"}

        """#,
      notes: """
        7: 'pm.sendRequest' in a script is not supported
        18: 'pm.expect' in a script is not supported
        30: '{{$randomFirstName}}' is not supported; it is the input 'randomFirstName'

        """),
    ImportCase(
      name: "bodies.postman_collection.json",
      text: #"""
        {"info": {"name": "Bodies"}, "auth": {"type": "basic", "basic": {"username": "ann", "password": "correct-horse"}}, "item": [
          {"name": "form", "request": {"method": "POST", "url": "http://x.example.org/a", "body": {"mode": "urlencoded", "urlencoded": [
            {"key": "a", "value": "{{n}} x"},
            {"key": "b", "value": "1", "disabled": true}]}}},
          {"name": "files", "request": {"method": "POST", "url": "http://x.example.org/b", "body": {"mode": "formdata", "formdata": [
            {"key": "title", "value": "Barn", "type": "text"},
            {"key": "photo", "type": "file", "src": "/home/ann/barn.jpg", "contentType": "image/jpeg"},
            {"key": "none", "type": "file", "src": []}]}}},
          {"name": "graphql", "request": {"method": "POST", "url": "http://x.example.org/c", "body": {"mode": "graphql", "graphql": {
            "query": "query($id: ID!) { item(id: $id) { title } }", "variables": "{\"id\": {{id}}}"}}}},
          {"name": "get", "request": {"method": "GET", "url": "http://x.example.org/d",
            "body": {"mode": "raw", "raw": "x"}}, "response": [{"name": "one"}]},
          {"name": "digest", "request": {"method": "GET", "url": "http://x.example.org/e",
            "auth": {"type": "digest"}}},
          {"name": "key", "request": {"method": "PUT", "url": "http://x.example.org/f",
            "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-Key"}, {"key": "value", "value": "k-87654321"}]},
            "body": {"mode": "file", "file": {"src": "C:\\data\\f.bin"}}}, "protocolProfileBehavior": {"followRedirects": false, "maxRedirects": 2}},
          {"name": "empty"}
        ]}

        """#,
      scenario: #"""
        flow: 1
        name: Bodies
        inputs:
          password: {type: string, secret: true}
          "n": {type: string}
          id: {type: any}
          x_key: {type: string, secret: true}
        components:
          api:
            plugin: http
            with: {base: http://x.example.org, user: ann, password: "${{ inputs.password }}"}
          api2: {plugin: http, with: {base: http://x.example.org}}
          api3: {plugin: http, with: {base: http://x.example.org, follow: false}}
        steps:
          - name: form
            uses: api.post
            with: {path: a, form: {a: "${{ inputs.n }} x"}}
          # line 8: a part without a file is not supported
          - name: files
            uses: api.post
            with:
              path: b
              multipart: [{name: title, value: Barn}, {name: photo, file: barn.jpg, type: image/jpeg}]
          - name: graphql
            uses: api.post
            with:
              path: c
              json:
                query: "query($id: ID!) { item(id: $id) { title } }"
                variables: {id: "${{ inputs.id }}"}
          # line 12: the body of a GET request is not supported
          - name: get
            uses: api.get
            with: {path: d}
          # line 14: the authentication 'digest' is not supported
          - name: digest
            uses: api2.get
            with: {path: e}
          # line 17: the setting 'maxRedirects' is not supported
          - name: key
            uses: api3.put
            with: {path: f, headers: {x-key: "${{ inputs.x_key }}"}, file: f.bin}

        """#,
      notes: """
        1: the value of 'password' was removed; pass it with --secret password=@FILE
        4: the disabled form field 'b' is left out
        7: put the file 'barn.jpg' into the scenario's folder; its content is not copied
        8: a part without a file is not supported
        12: the body of a GET request is not supported
        12: skipped 1 saved answer
        13: this request has different settings, so it uses another component and does not share cookies with the first
        14: the authentication 'digest' is not supported
        16: the value of 'X-Key' was removed; pass it with --secret x_key=@FILE
        17: the setting 'maxRedirects' is not supported
        17: put the file 'f.bin' into the scenario's folder; its content is not copied
        18: an item without a request is left out

        """),
  ]

  @Test func `an environment has the values of variables, without its secrets`() async throws {
    var source = ImportSource(
      name: "a.json",
      bytes: Array(
        #"{"info": {"name": "A"}, "item": [{"name": "a", "request": "{{host}}/a?k={{mine}}&b={{pin}}"}]}"#
          .utf8))
    source.environments = [
      (
        "dev.json",
        Array(
          """
          {"values": [{"key": "host", "value": "localhost:8080", "enabled": true},
            {"key": "mine", "value": "s3cr3t-value", "type": "secret"},
            {"key": "pin", "value": "", "type": "secret"},
            {"key": "gone", "value": "1", "enabled": false}]}
          """.utf8)
      )
    ]

    let result = try Import(source)

    #expect(
      result.scenario == """
        flow: 1
        name: A
        inputs:
          host: {type: string, default: localhost:8080}
          mine: {type: string, secret: true}
          pin: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: "http://${{ inputs.host }}"}}
        steps:
          - name: a
            uses: api.get
            with: {path: "a?k=${{ inputs.mine }}&b=${{ inputs.pin }}"}

        """)
    #expect(try await CheckedScenario(result.scenario).problems == "")
    #expect(
      result.notes.map(\.message) == [
        "the disabled variable 'gone' is left out",
        "the value of 'mine' was removed; pass it with --secret mine=@FILE",
      ])
  }

  @Test func `each folder is a scenario with the names of its folders as tags`() throws {
    let text = """
      {"info": {"name": "Shop"}, "item": [
        {"name": "Users", "id": "u1", "item": [
          {"name": "Log in", "event": [{"listen": "test", "script": {"exec":
            "pm.environment.set('token', pm.response.json().token)"}}], "request": "http://x.org/login"},
          {"name": "Admin Area", "item": [{"name": "b", "request": "http://x.org/b"}]}]},
        {"name": "Каталог", "item": [{"name": "c", "request": "http://x.org/c?t={{token}}"}]},
        {"name": "d", "request": "http://x.org/d"}]}
      """

    let parts = try Import.parts(
      of: ImportSource(name: "x.postman_collection.json", bytes: Array(text.utf8)))

    #expect(parts.map(\.id) == ["collection", "folder u1", "Users / Admin Area", "Каталог"])
    #expect(parts.map(\.fileName) == ["shop", "users", "users-admin-area", "каталог"])
    #expect(
      parts[2].scenario.hasPrefix("flow: 1\nname: Admin Area\ntags: [users, admin-area]\n"))
    #expect(
      parts[3].notes.map(\.message) == [
        "the variable 'token' is set by a script of another folder; here it is an input"
      ])
  }
}
