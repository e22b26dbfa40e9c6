import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

@Suite struct SecretRequestTests {
  @Test func `a secret in a header, a query, a body or a URL is in no transcript`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "secret.yaml")
    let secret = "s3cr&t/ \"tøken\""
    var options = LiveOptions()
    options.secrets = ["token": secret]

    let run = try await ScenarioFile(folder.path("secret.yaml")).attempt(
      try Registry([HTTP.self]), inputs: ["base": server.url], options: options)

    #expect(run.failures == "")
    #expect(server.requests.count == 7)
    #expect(server.requests.first?.headers["authorization"] == "Bearer \(secret)")
    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(transcript.contains("Bearer ${secret:token}"))
    for part in ["s3cr", "tøken", "t%C3%B8ken", "t\\u00f8ken", "czNjc"] {
      #expect(!transcript.contains(part), "\(part) in \(transcript)")
    }
  }

  private static let scenario = """
    flow: 1
    name: Secrets
    inputs:
      base: {type: string}
      token: {type: string, secret: true}
    components:
      web: {plugin: http, with: {base: "${{ inputs.base }}/echo", bearer: "${{ inputs.token }}"}}
      basic:
        plugin: http
        with: {base: "${{ inputs.base }}/echo", user: a, password: "${{ inputs.token }}"}
    steps:
      - uses: web.get
      - uses: basic.get
      - uses: web.get
        with: {headers: {X-Token: "${{ inputs.token }}"}}
      - uses: web.get
        with: {query: {token: "${{ inputs.token }}"}}
      - uses: web.get
        with: {path: "${{ inputs.token }}"}
      - uses: web.post
        with: {json: {token: "${{ inputs.token }}"}}
      - uses: web.post
        with: {form: {token: "${{ inputs.token }}"}}
      - uses: web.get
        with: {url: "http://127.0.0.1:1", query: {token: "${{ inputs.token }}"}}
        expect: {error: unreachable}
    """
}
