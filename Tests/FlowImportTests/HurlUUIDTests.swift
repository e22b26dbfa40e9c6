import Testing

/// UUIDs that a Hurl file has made.
@Suite struct HurlUUIDTests {
  @Test(arguments: samples) func `a new UUID is made by a step of the plugin random`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "uuids.hurl",
      text: """
        POST https://example.org/uuid
        X-Request: {{newUuid}}
        {"id": "{{newUuid}}", "text": "id {{newUuid}}"}
        HTTP 200

        GET https://example.org/b?id={{key}}
        [Options]
        variable: key={{newUuid}}
        delay: 1s
        HTTP 200
        [Asserts]
        jsonpath "$.id" == "{{key}}"
        jsonpath "$.other" != "{{newUuid}}"

        GET https://example.org/c?id={{key}}
        HTTP 200

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
          random: {plugin: random}
        steps:
          - id: uuid
            uses: random.uuid
          - id: uuid_2
            uses: random.uuid
          - id: uuid_3
            uses: random.uuid
          - uses: api.post
            with:
              path: uuid
              headers: {X-Request: "${{ steps.uuid.uuid }}"}
              json: {id: "${{ steps.uuid_2.uuid }}", text: "id ${{ steps.uuid_3.uuid }}"}
            expect: {status: 200}
          - id: uuid_4
            uses: random.uuid
          - id: uuid_5
            uses: random.uuid
          - wait: 1s
          - id: get_b
            uses: api.get
            with: {path: "b?id=${{ steps.uuid_4.uuid }}"}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_b.json != null || json(steps.get_b.text) == null }}
              - ${{ steps.get_b.json.id == steps.uuid_4.uuid }}
              - ${{ steps.get_b.json.other != steps.uuid_5.uuid }}
          - uses: api.get
            with: {path: "c?id=${{ steps.uuid_4.uuid }}"}
            expect: {status: 200}

        """),
    ImportCase(
      name: "skipped-uuid.hurl",
      text: """
        POST https://example.org/a/{{newUuid}}
        [Options]
        skip: true
        HTTP 200

        GET https://example.org/b
        [Options]
        skip: true
        variable: key={{newUuid}}
        HTTP 200

        GET https://example.org/c?id={{key}}
        HTTP 200

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
          random: {plugin: random}
        steps:
          - id: uuid
            uses: random.uuid
          - uses: api.get
            with: {path: "c?id=${{ steps.uuid.uuid }}"}
            expect: {status: 200}

        """,
      notes: """
        1: the request is left out, since it has the option 'skip'
        6: the request is left out, since it has the option 'skip'

        """),
    ImportCase(
      name: "own-uuid.hurl",
      text: """
        GET https://example.org/a
        [BasicAuth]
        ann: {{newUuid}}
        [Options]
        variable: newDate=today
        HTTP 200

        GET https://example.org/{{newDate}}
        HTTP 200

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with: {base: https://example.org, follow: false, user: ann, password: "${{ inputs.password }}"}
          api2: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: a}
            expect: {status: 200}
          - uses: api2.get
            with: {path: today}
            expect: {status: 200}

        """,
      notes: """
        1: a component cannot read an answer; its 'password' is the input 'password'
        8: this request has different settings, so it uses another component and does not share cookies with the first

        """),
  ]
}
