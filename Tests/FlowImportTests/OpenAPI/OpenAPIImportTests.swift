import FlowCommand
import FlowCore
import Foundation
import HTTPPlugin
import TestKit
import Testing

/// Scenarios from a description of OpenAPI.
@Suite struct OpenAPIImportTests {
  private let folder: TemporaryFolder

  private static let description = """
    openapi: 3.1.0
    info: {title: Shop, version: '1'}
    servers: [{url: 'https://{host}/v1/', variables: {host: {default: shop.example}}}]
    security: [{login: []}]
    paths:
      /orders:
        get:
          operationId: listOrders
          summary: Lists orders
          tags: [Orders, Shop Front]
          parameters:
            - {name: limit, in: query, schema: {type: integer}, example: 5}
            - {name: page, in: query, schema: {type: integer, default: 1}}
            - {name: open, in: query, required: true, schema: {type: boolean}}
            - {name: tag, in: query, schema: {type: array, items: {type: string}}, example: [a, b]}
            - {name: X-Shop, in: header, required: true, schema: {type: string, enum: [north, south]}}
            - {name: theme, in: cookie, schema: {type: string}, example: dark}
          responses: {'200': {description: Orders}, '404': {description: None}}
        post:
          operationId: createOrder
          requestBody:
            required: true
            content:
              application/json: {schema: {$ref: '#/components/schemas/Order'}}
          callbacks: {paid: {}}
          responses:
            '201': {description: Created, links: {read: {operationId: readOrder}}}
      /orders/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          security: [{key: []}]
          responses: {2XX: {description: Order}}
        delete:
          operationId: dropOrder
          security: []
          responses: {default: {description: Any}}
    webhooks: {shipped: {}}
    components:
      securitySchemes:
        login: {type: http, scheme: basic}
        key: {type: apiKey, in: query, name: api_key}
      schemas:
        Order:
          type: object
          required: [customer, items]
          additionalProperties: false
          properties:
            customer: {type: string, minLength: 1, examples: [Ann]}
            password: {type: string, example: kept-out}
            id: {type: integer, readOnly: true, example: 7}
            items:
              type: array
              minItems: 1
              items:
                type: object
                required: [sku, count]
                properties:
                  sku: {type: string, pattern: '^[A-Z]{2}$'}
                  count: {type: integer, minimum: 1}

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.description, to: "api/shop.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [HTTP.self])
  }

  private func replace(_ old: String, _ new: String, in file: String) throws {
    let text = try folder.text(file)
    try #require(text.contains(old))
    try folder.write(text.replacing(old, with: new), to: file)
  }

  // MARK: - The scenarios

  private static let scenarios: [(file: String, text: String)] = [
    (
      "list-orders.yaml",
      """
      flow: 1
      name: Lists orders
      tags: [orders, shop-front]
      inputs:
        base: {type: string, default: https://shop.example/v1}
        user: {type: string}
        password: {type: string, secret: true}
        open: {type: bool}
      components:
        api:
          plugin: http
          with:
            base: ${{ inputs.base }}
            contract: "../api/shop.yaml"
            user: ${{ inputs.user }}
            password: ${{ inputs.password }}
      steps:
        - uses: api.get
          with:
            path: orders
            query: {limit: "5", open: "${{ string(inputs.open) }}", tag: [a, b]}
            headers: {X-Shop: north, cookie: theme=dark}
          expect: {status: 200}

      """
    ),
    (
      "create-order.yaml",
      """
      flow: 1
      name: POST /orders
      inputs:
        base: {type: string, default: https://shop.example/v1}
        user: {type: string}
        password: {type: string, secret: true}
        body_password: {type: string, secret: true}
      components:
        api:
          plugin: http
          with:
            base: ${{ inputs.base }}
            contract: "../api/shop.yaml"
            user: ${{ inputs.user }}
            password: ${{ inputs.password }}
      steps:
        - uses: api.post
          with:
            path: orders
            json: {customer: Ann, items: [{sku: AA, count: 1}], password: "${{ inputs.body_password }}"}
          expect: {status: 201}

      """
    ),
    (
      "get-orders-id.yaml",
      """
      flow: 1
      name: "GET /orders/{id}"
      inputs:
        base: {type: string, default: https://shop.example/v1}
        api_key: {type: string, secret: true}
        id: {type: int}
      components:
        api: {plugin: http, with: {base: "${{ inputs.base }}", contract: "../api/shop.yaml"}}
      steps:
        - uses: api.get
          with: {path: "orders/${{ inputs.id }}", query: {api_key: "${{ inputs.api_key }}"}}
          expect: {status: "${{ it >= 200 && it < 300 }}"}

      """
    ),
    (
      "drop-order.yaml",
      """
      flow: 1
      name: "DELETE /orders/{id}"
      inputs:
        base: {type: string, default: https://shop.example/v1}
        id: {type: int}
      components:
        api: {plugin: http, with: {base: "${{ inputs.base }}", contract: "../api/shop.yaml"}}
      steps:
        - uses: api.delete
          with: {path: "orders/${{ inputs.id }}"}

      """
    ),
  ]

  @Test func `each operation becomes a scenario that passes the check by the description`()
    async throws
  {
    let run = try await flow("import", "@/api/shop.yaml", "-o", "@/out/")

    #expect(
      run.output == """
        new        @/out/list-orders.yaml
        new        @/out/create-order.yaml
        new        @/out/get-orders-id.yaml
        new        @/out/drop-order.yaml

        """)
    #expect(
      run.errors == """
        @/api/shop.yaml:25: note: the callback 'paid' of 'POST /orders' is not imported
        @/api/shop.yaml:27: note: the link 'read' of 'POST /orders' is not imported
        @/api/shop.yaml:37: note: the webhook 'shipped' is not imported

        """)
    for scenario in Self.scenarios {
      #expect(try folder.text("out/" + scenario.file) == scenario.text)
    }
    let check = try await flow("check", "@/out")
    #expect(check.errors == "")
    #expect(check.code == .passed)
  }

  @Test func `without a folder all operations are steps of one scenario`() async throws {
    let run = try await flow("import", "@/api/shop.yaml", "-o", "@/all.yaml")
    let text = try folder.text("all.yaml")

    #expect(run.code == .passed)
    #expect(text.hasPrefix("flow: 1\nname: Shop\n"))
    #expect(text.contains("contract: api/shop.yaml"))
    #expect(text.contains("  - name: Lists orders\n    uses: api.get\n"))
    #expect(text.contains("  - name: POST /orders\n    uses: api.post\n"))
    #expect(try await flow("check", "@/all.yaml").errors == "")
  }

  // MARK: - The second import

  @Test func `a second import merges a changed description with an edited scenario`() async throws {
    _ = try await flow("import", "@/api/shop.yaml", "-o", "@/out/")
    try replace(
      "    expect: {status: 201}\n", "    expect: {status: 201}\n  # mine\n",
      in: "out/create-order.yaml")
    try replace("summary: Lists orders", "summary: Lists all orders", in: "api/shop.yaml")
    try replace(
      "operationId: createOrder", "operationId: createOrder\n      tags: [new]", in: "api/shop.yaml"
    )
    try replace("operationId: dropOrder", "operationId: removeOrder", in: "api/shop.yaml")

    let run = try await flow("import", "@/api/shop.yaml", "-o", "@/out/")

    #expect(
      run.output == """
        changed    @/out/list-orders.yaml
        merged     @/out/create-order.yaml
        unchanged  @/out/get-orders-id.yaml
        new        @/out/remove-order.yaml
        gone       @/out/drop-order.yaml: nobody edited it; '--prune' removes it

        """)
    let merged = try folder.text("out/create-order.yaml")
    #expect(merged.contains("tags: [new]\n"))
    #expect(merged.hasSuffix("    expect: {status: 201}\n  # mine\n"))
  }

  // MARK: - Bodies

  struct Body: Sendable, CustomTestStringConvertible {
    let content: String
    let step: String
    var notes = ""
    var testDescription: String { content }
  }

  @Test(arguments: [
    Body(
      content: "application/x-www-form-urlencoded: {example: {name: Ann, tag: [a, b]}}",
      step: "with: {form: {name: Ann, tag: [a, b]}}\n"),
    Body(
      content: """
        multipart/form-data: {schema: {required: [picture, size], properties: {picture: \
        {type: string, format: binary}, size: {type: integer}}}}
        """,
      step: "with: {multipart: [{name: picture, file: picture}, {name: size, value: \"1\"}]}\n",
      notes: "put the file 'picture' into the scenario's folder"),
    Body(
      content: "text/csv: {example: 'a,b'}",
      step: "with: {headers: {content-type: text/csv}, body: \"a,b\"}\n"),
    Body(
      content: "application/pdf: {schema: {type: string, format: binary}}",
      step: "with: {headers: {content-type: application/pdf}, file: body}\n",
      notes: "put the file 'body' into the scenario's folder"),
    Body(
      content: "application/merge-patch+json: {examples: {one: {value: {a: 1}}}}",
      step: "with: {headers: {content-type: application/merge-patch+json}, json: {a: 1}}\n"),
    Body(
      content: "application/json: {schema: {type: integer}, example: x}", step: "with: {json: 1}\n",
      notes: "no example of the body of 'POST /' is valid for its schema"),
    Body(
      content: "application/json: {schema: {not: {}}}",
      step: "with: {json: \"${{ inputs.body }}\"}\n",
      notes: "no valid body of 'POST /' was found; write it by hand"),
    Body(
      content: "application/json: {example: {a: '${{ b }}', token: sesame-open}}",
      step: "with: {json: {a: \"${{ '$' }}{{ b }}\", token: \"${{ inputs.body_token }}\"}}\n"),
  ]) func `a body has the form of its media type`(_ body: Body) async throws {
    try folder.write(
      """
      openapi: 3.1.0
      info: {title: T, version: '1'}
      paths:
        /:
          post:
            requestBody:
              required: true
              content:
                \(body.content)
            responses: {'204': {description: D}}

      """, to: "t.yaml")
    let run = try await flow("import", "@/t.yaml", "-o", "@/out.yaml")

    #expect(try folder.text("out.yaml").contains("uses: api.post\n    \(body.step)"))
    #expect(run.errors == (body.notes.isEmpty ? "" : "@/t.yaml:9: note: \(body.notes)\n"))
    #expect(try await flow("check", "@/out.yaml").errors == "")
  }

  /// A folder of published descriptions, each alone in a folder of its own, or nil.
  private static let published = ProcessInfo.processInfo.environment["FLOW_DESCRIPTIONS"]

  @Test(
    .enabled(
      if: published != nil,
      "no published descriptions were imported: FLOW_DESCRIPTIONS names no folder"))
  func `scenarios of published descriptions pass the check`() async throws {
    let root = try #require(Self.published)
    var checked = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: root).sorted() {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(name)")) ?? []
      for file in files where file.hasPrefix("openapi.") {
        let copy = try TemporaryFolder()
        let text = try String(contentsOfFile: "\(root)/\(name)/\(file)", encoding: .utf8)
        try copy.write("flow: 1\n", to: "flow.yaml")
        try copy.write(text, to: file)
        let arguments = ["import", "--from", "openapi", "@/\(file)", "-o", "@/out/"]
        let run = try await FlowCommandRun(arguments, in: copy, components: [HTTP.self])
        // Swagger, and YAML with tags of its own.
        guard run.code == .passed else { continue }
        let check = try await FlowCommandRun(
          ["check", "@/out"], in: copy, components: [HTTP.self])
        #expect(check.code == .passed, "\(name): \(check.errors.prefix(500))")
        checked += 1
      }
    }
    #expect(checked >= 100)
  }

  // MARK: - Errors

  @Test(arguments: [
    ("openapi: 3.1.0\npaths: {}\n", "1:1: error: the description has no operations"),
    (
      "openapi: 4.0.0\npaths: {}\n",
      #"1:10: error: the version "4.0.0" is not supported; there are 3.0 and 3.1"#
    ),
    (
      "openapi: 3.1.0\npaths:\n  /a: {get: {requestBody: {$ref: '#/x'}}}\n",
      "3:34: error: '#/x' refers to nothing: 't.yaml' has no 'x'"
    ),
    ("openapi: 3.1.0\npaths: [\n", "2:9: error: expected a value in the flow node"),
  ]) func `a broken description is an error with its place`(
    _ text: String, _ message: String
  ) async throws {
    try folder.write(text, to: "t.yaml")
    let run = try await flow("import", "@/t.yaml", "-o", "@/out/")

    #expect(run.errors == "@/t.yaml:\(message) [F1701]\n")
    #expect(run.code == .badInput)
  }

  @Test func `a description out of the project is no contract`() async throws {
    try folder.write(Self.description, to: "shop.yaml")
    try folder.write("flow: 1\n", to: "project/flow.yaml")
    let run = try await flow("import", "@/shop.yaml", "-o", "@/project/out/")

    #expect(
      run.errors.hasPrefix(
        "@/shop.yaml:1: note: the scenarios have no contract, since they are in no project with the "
          + "description; create 'flow.yaml' around both and import again\n"))
    #expect(try !folder.text("project/out/drop-order.yaml").contains("contract"))
    #expect(try await flow("check", "@/project/out").errors == "")
  }

  @Test func `a description cannot have files out of its project read`() async throws {
    try folder.write("openapi: 3.1.0\npaths: {/a: {$ref: '../../../etc/passwd'}}\n", to: "t.yaml")
    let run = try await flow("import", "@/t.yaml")

    #expect(run.code == .badInput)
    #expect(run.errors.contains("the path is outside the scenario's folder"))
  }

  // MARK: - Forms and passwords

  @Test func `parts and fields have the forms that the description gives them`() async throws {
    try folder.write(
      """
      openapi: 3.0.3
      info: {title: t, version: '1'}
      servers: [{url: 'https://x.example'}]
      paths:
        /up:
          post:
            requestBody:
              required: true
              content:
                multipart/form-data:
                  schema:
                    type: object
                    required: [meta, tags, files, pin]
                    properties:
                      meta: {type: object, example: {n: 3}}
                      rows: {type: string, example: a}
                      tags: {type: array, items: {type: string}, example: [a, b]}
                      files: {type: array, minItems: 2, items: {type: string, format: binary}}
                      pin: {type: string, format: password, example: hunter-2222}
                  encoding:
                    rows: {contentType: text/csv, headers: {X-Sum: {schema: {type: string}, example: '7'}, X-No: {schema: {type: string}}}}
            responses: {'201': {description: x}}
        /form:
          post:
            requestBody:
              required: true
              content:
                application/x-www-form-urlencoded:
                  schema:
                    type: object
                    properties:
                      ids: {type: array, items: {type: integer}, example: [1, 2]}
                      at: {type: object, example: {x: 1, y: 2}}
                      meta: {type: object, example: {n: 3}}
                  encoding: {ids: {style: form, explode: false}, at: {style: deepObject}, meta: {contentType: application/json}}
            responses: {'200': {description: x}}
        /login:
          post:
            parameters: [{name: code, in: query, required: true, schema: {type: string, format: password, example: hunter-2222}}]
            requestBody:
              required: true
              content:
                application/json:
                  schema:
                    allOf:
                      - {type: object, properties: {who: {$ref: '#/components/schemas/Who'}}}
                      - {type: object, properties: {others: {type: array, items: {$ref: '#/components/schemas/Who'}}}}
                  example: {who: {pw: hunter-2222}, others: [{pw: hunter-3333}]}
            responses: {'200': {description: x}}
      components:
        schemas:
          Who: {type: object, required: [pw], properties: {pw: {type: string, format: password}}}
      """, to: "api/forms.yaml")

    let run = try await flow("import", "@/api/forms.yaml", "-o", "@/forms.yaml")

    #expect(
      run.errors == """
        @/api/forms.yaml:11: note: put the file 'files' into the scenario's folder
        @/api/forms.yaml:11: note: put the file 'files-2' into the scenario's folder
        @/api/forms.yaml:11: note: the header 'X-No' of the part 'rows' has no example

        """)
    let scenario = try folder.text("forms.yaml")
    #expect(!scenario.contains("hunter"))
    #expect(
      scenario.hasSuffix(
        """
        steps:
          - name: POST /up
            uses: api.post
            with:
              path: up
              multipart:
                - {name: meta, value: "{\\"n\\":3}", type: application/json}
                - {name: tags, value: a}
                - {name: tags, value: b}
                - {name: files, file: files}
                - {name: files, file: files-2}
                - {name: pin, value: "${{ inputs.body_pin }}"}
                - {name: rows, value: a, type: text/csv, headers: {X-Sum: "7"}}
            expect: {status: 201}
          - name: POST /form
            uses: api.post
            with: {path: form, form: {ids: "1,2", "at[x]": "1", "at[y]": "2", meta: "{\\"n\\":3}"}}
            expect: {status: 200}
          - name: POST /login
            uses: api.post
            with:
              path: login
              query: {code: "${{ inputs.code }}"}
              json: {who: {pw: "${{ inputs.body_pw }}"}, others: [{pw: "${{ inputs.body_pw }}"}]}
            expect: {status: 200}

        """), "\(scenario)")
    let check = try await flow("check", "@/forms.yaml")
    #expect(check.errors == "")
  }

  @Test func `a description is known by a member that stands anywhere in it`() async throws {
    let long = (1...300).map { "  # line \($0)\n" }.joined()
    try folder.write(
      "paths:\n\(long)  /a: {get: {responses: {'200': {description: a}}}}\n"
        + "info: {title: A, version: '1'}\n\"openapi\" : 3.0.3\n", to: "api/late.yaml")

    let run = try await flow("import", "@/api/late.yaml")

    #expect(run.output.contains("path: a"), "\(run.errors)")
  }
}
