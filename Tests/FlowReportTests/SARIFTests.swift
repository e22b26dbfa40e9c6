import FlowCore
import FlowRedaction
import FlowReport
import FlowSystem
import Testing

/// Problems in SARIF.
@Suite struct SARIFTests {
  @Test(arguments: [
    ("a/b.yaml", "a/b.yaml"), ("sp ace#1/a b?.yaml", "sp%20ace%231/a%20b%3F.yaml"),
    ("x:y.yaml", "x%3Ay.yaml"), ("/é/%.yaml", "file:///%C3%A9/%25.yaml"),
  ])
  func `a path is a reference of a URI`(_ path: String, uri: String) throws {
    let start = Position(line: 1, column: 1)
    let problem = Diagnostic(
      .failedAssertion, "a", at: SourceSpan(file: path, start: start, end: start))
    let document = SARIF.output(version: "1") { [] }.document?(CheckReport([problem]), Redactor())

    guard case .json(let json)? = document else { throw Problem() }
    #expect(json.text.contains(#"{"artifactLocation":{"uri":"\#(uri)"}"#), "\(json.text)")
  }

  private struct Problem: Error {}
}
