import FlowCore
import FlowRedaction
import FlowReport
import FlowSystem
import Testing

/// Problems in SARIF.
@Suite struct SARIFTests {
  @Test(arguments: [
    ("a/b.yaml", "a/b.yaml"), ("../a.yaml", "../a.yaml"),
    ("sp ace#1/a b?.yaml", "sp%20ace%231/a%20b%3F.yaml"),
    ("x:y.yaml", "x%3Ay.yaml"), ("/é/%.yaml", "file:///%C3%A9/%25.yaml"),
  ])
  func `a path is a reference of a URI`(_ path: String, uri: String) throws {
    let start = Position(line: 1, column: 1)
    let problem = Diagnostic(
      .failedAssertion, "a", at: SourceSpan(file: path, start: start, end: start))
    let base = path.hasPrefix("/") ? "" : #","uriBaseId":"%SRCROOT%""#
    let text = try text(of: CheckReport([problem]))

    #expect(text.contains(#"{"artifactLocation":{"uri":"\#(uri)"\#(base)},"region":"#), "\(text)")
  }

  @Test func `every result has a location below the named folder`() throws {
    let start = Position(line: 2, column: 3)
    let span = SourceSpan(file: "a.yaml", start: start, end: start)
    let reports = [
      CheckReport([Diagnostic(.failedAssertion, "a", at: span)], file: "b.yaml"),
      CheckReport([Diagnostic(.failedAssertion, "b", at: nil)], file: "b.yaml"),
      CheckReport([Diagnostic(.failedAssertion, "c", at: nil, severity: .warning)]),
    ]
    let head = #"{"ruleId":"F2004","level":"error","message":{"text":"#
    let region = #""region":{"startLine":2,"startColumn":3,"endLine":2,"endColumn":3}"#
    let at = { (file: String) in
      #""locations":[{"physicalLocation":{"artifactLocation":"#
        + #"{"uri":"\#(file)","uriBaseId":"%SRCROOT%"}"#
    }

    #expect(
      try text(of: CheckReport(joining: reports)) == ##"{"$schema":"https://json.schemastore.org/"##
        + #"sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"flow","#
        + #""version":"1","rules":[]}},"originalUriBaseIds":{"%SRCROOT%":{"uri":"file:///my%20work/"}},"#
        + #""columnKind":"unicodeCodePoints","results":["#
        + #"\#(head)"a"},\#(at("a.yaml")),\#(region)}}]},\#(head)"b"},\#(at("b.yaml"))}}]},"#
        + #"{"ruleId":"F2004","level":"warning","message":{"text":"c"},\#(at("."))}}]}]}]}"#)
  }

  private func text(of report: CheckReport) throws -> String {
    let format = SARIF.output(version: "1", folder: "/my work") { [] }
    guard case .json(let json)? = format.document?(report, Redactor()) else { throw Problem() }
    return json.text
  }

  private struct Problem: Error {}
}
