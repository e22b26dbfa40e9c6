import Testing

@testable import FlowImport

/// What is secret in the files of the other tests.
@Suite struct SecretImportTests {
  private static let secrets = [
    "correct-horse", "correct+horse", "8f14e45fceea", "t0k3n", "abcdefgh", "k-123456",
    "YW5uOmNvcnJlY3QtaG9yc2U=", "granted",
  ]

  @Test(
    arguments: CurlImportTests.samples + HARImportTests.samples + HurlImportTests.samples
      + HurlAssertTests.samples)
  func `no secret of a file is in its scenario or its notes`(_ sample: ImportCase) throws {
    let result = try Import(reading: Array(sample.text.utf8), named: sample.name)
    let written = result.scenario + result.notes.map(\.message).joined()

    #expect(Self.secrets.filter(written.contains) == [])
  }

  @Test func `a secret is hidden in every other place, too`() throws {
    let text = """
      curl -H 'Authorization: Bearer abcdefgh-1234' https://example.org/users/abcdefgh-1234
      curl -d '{"note": "the token is abcdefgh-1234"}' -H 'Content-Type: application/json' https://example.org
      """

    let result = try Import(reading: Array(text.utf8), named: "a.curl")

    #expect(!result.scenario.contains("abcdefgh"))
    #expect(result.scenario.contains(#"path: "users/${{ inputs.authorization }}""#))
    #expect(result.scenario.contains(#"note: "the token is ${{ inputs.authorization }}""#))
  }
}
