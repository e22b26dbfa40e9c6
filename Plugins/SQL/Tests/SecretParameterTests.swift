import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite struct SecretParameterTests {
  // Longer than what PostgreSQL quotes of a value, and with what encodings change.
  private static let secret =
    "s3cr&t/ \"tøken\" " + String(repeating: "of many letters ", count: 8) + "\\ 'end'"

  @Test func `a secret parameter of SQLite is in no transcript and no failure`() async throws {
    try await check("file: \":memory:\"", "?", type: "TEXT", failures: 1)
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence))
  func `a secret parameter of PostgreSQL is in no transcript and no failure`() async throws {
    let url = try await TestServer.shared().url()
    try await check("url: \"\(url)\"", "$1", type: "text", failures: 3)
  }

  /// Runs a scenario whose errors quote the secret as far as the database does.
  private func check(
    _ setting: String, _ place: String, type: String, failures: Int
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(setting, place, type), to: "secret.yaml")
    var options = LiveOptions()
    options.secrets = ["token": Self.secret]

    let run = try await ScenarioFile(folder.path("secret.yaml")).attempt(
      try Registry([SQL.self]), options: options)

    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(run.failures.contains("[F2002]"))
    #expect(transcript.contains("\"found\":\"${secret:token}\""), "\(transcript)")
    #expect(transcript.matches(of: /"error":/).count >= failures)
    for part in ["s3cr", "tøken", "many letters", "'end'", "czNjc", "73336372"] {
      #expect(!transcript.contains(part), "\(part) in \(transcript)")
      #expect(!run.failures.contains(part), "\(part) in \(run.failures)")
    }
  }

  private func scenario(_ setting: String, _ place: String, _ type: String) -> String {
    let token = "parameters: [\"${{ inputs.token }}\"]"
    return """
      flow: 1
      inputs:
        token: {type: string, secret: true}
      components:
        shop: {plugin: sql, with: {\(setting)}}
      steps:
        - uses: shop.execute
          with: {sql: "CREATE TEMPORARY TABLE secret (v \(type) UNIQUE CHECK (length(v) < 1000), w int)"}
        - uses: shop.execute
          with: {sql: "INSERT INTO secret (v) VALUES (\(place))", \(token)}
        - uses: shop.query
          with: {sql: "SELECT v AS found FROM secret WHERE v = \(place)", \(token)}
        - uses: shop.query
          with: {sql: "SELECT CAST(\(place) AS int) AS n", \(token)}
          continue-on-error: true
        - uses: shop.query
          with: {sql: "SELECT CAST(\(place) AS json) AS n", \(token)}
          continue-on-error: true
        - uses: shop.execute
          with: {sql: "INSERT INTO secret (v) VALUES (\(place) || repeat('x', 1000))", \(token)}
          continue-on-error: true
        - uses: shop.execute
          with: {sql: "INSERT INTO secret (v) VALUES (\(place))", \(token)}
      """
  }
}
