import FlowImport
import Testing

/// Files of another format than their names say.
@Suite struct BadImportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let error: String
    var testDescription: String { error }

    init(_ name: String, _ text: String, _ error: String) {
      self.init(name, Array(text.utf8), error)
    }

    init(_ name: String, _ bytes: [UInt8], _ error: String) {
      self.name = name
      self.bytes = bytes
      self.error = error
    }
  }

  @Test(arguments: bad) func `a file that cannot be read is one error with its place`(
    _ sample: Case
  ) throws {
    let error = #expect(throws: ImportError.self) {
      try Import(reading: sample.bytes, named: sample.name)
    }

    #expect(error.map { "\($0.line):\($0.column): \($0.message)" } == sample.error)
  }

  static let bad: [Case] = [
    Case("x.txt", "", "1:1: the file has no requests"),
    Case("x.txt", "# nothing\n", "1:1: the file has no requests"),
    Case(
      "x.txt", "hello\n",
      "1:1: cannot tell the format; use --from curl, har, hurl, http, postman, bruno or openapi"),
    Case(
      "x.json", #"{"orders": [{"id": 7}]}"#,
      "1:1: cannot tell the format; use --from curl, har, hurl, http, postman, bruno or openapi"),
    Case("x.json", #"{"log": {"a": 1}}"#, "1:1: expected 'log' with 'entries'"),
    Case("x.json", #"{"orders": [{"id": 7}"#, "1:22: the text ends too early"),
    Case(
      "x.hurl", [0xFF, 0xFE] + "GET http://x/".utf8.flatMap { [$0, 0] },
      "1:1: the text is in UTF-16, not UTF-8"),
    Case(
      "x.har", "{\"log\": 1}".utf8.flatMap { [0, $0] }, "1:1: the text is in UTF-16, not UTF-8"),
    Case("x.hurl", Array("GET http://x/ä\n".utf8) + [0xC3, 0x28], "2:1: invalid UTF-8"),
    Case("x.hurl", "GET http://x\na\u{0}b", "2:2: NUL character"),
    Case("x.curl", "curl 'http://x\n", "1:6: unterminated quote '"),
    Case("x.curl", "\ncurl \"http://x", "2:6: unterminated quote \""),
    Case("x.curl", "curl $'http://x", "1:6: unterminated quote $'"),
    Case("x.curl", "curl $(a (b)", "1:6: unterminated $("),
    Case("x.curl", "curl ${A:-${B}", "1:6: unterminated ${"),
    Case("x.hurl", "POST http://x\nhex,abc;\n", "2:1: invalid hexadecimal"),
    Case("x.curl", "curl http://x -H", "1:1: the option '-H' has no value"),
    Case("x.curl", "wget http://x\n", "1:1: no curl command found"),
    Case("x.har", #"{"log": {"entries": [{"a": 1"#, "1:29: the text ends too early"),
    Case("x.har", #"{"log": {"entries": {}}}"#, "1:21: expected a list of entries"),
    Case("x.har", #"{"log": {}}"#, "1:1: expected 'log' with 'entries'"),
    Case(
      "x.har", "{\"log\": {\"entries\": [\n\n{}]}}",
      "3:1: the entry has no request with 'method' and 'url'"),
    Case(
      "x.har", #"{"log": {"entries": ["# + String(repeating: "[", count: 200),
      "1:150: nested more than 128 levels deep"),
    Case("x.har", #"{"log": {"entries": []}} x"#, "1:26: unexpected text after the value"),
    Case("x.hurl", "get http://x\n", "1:1: expected a method and a URL"),
    Case("x.hurl", "GET \n", "1:1: expected a method and a URL"),
    Case(
      "x.hurl", "GET http://x\nnonsense\n",
      "2:1: expected 'name: value', a section, a body or 'HTTP'"),
    Case(
      "x.hurl", "GET http://x\n[Unknown]\n",
      "2:1: unknown section '[Unknown]'; there are Asserts, BasicAuth, Captures, Cookies, Form, "
        + "FormParams, Multipart, MultipartFormData, Options, Query, QueryStringParams"),
    Case(
      "x.hurl", "GET http://x\n[Asserts]\na: b\n", "2:1: '[Asserts]' is only allowed after 'HTTP'"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\n[Query]\na: b\n",
      "3:1: '[Query]' is only allowed before 'HTTP'"),
    Case(
      "x.hurl", "GET http://x\nHTTP abc\n", "2:9: expected 'HTTP' and a status, such as 'HTTP 200'"),
    Case("x.hurl", "POST http://x\n{\"a\": \n", "2:1: the JSON has no end"),
    Case("x.hurl", "POST http://x\n{\"a\": 1,}\n", "2:9: expected a name in double quotes"),
    Case("x.hurl", "POST http://x\n<a><b></a>\n", "2:1: the XML has no end"),
    Case(
      "x.hurl", "POST http://x\n```\nabc\n", "2:4: the text between three backquotes has no end"),
    Case("x.hurl", "POST http://x\nhex,zz;\n", "2:1: invalid hexadecimal"),
    Case("x.hurl", "POST http://x\nbase64,*;\n", "2:1: invalid base64"),
    Case("x.hurl", "GET http://x/{{a\n", "1:14: a template has no end"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\n[Asserts]\njsonpath $.a == 1\n",
      "4:1: expected a string in double quotes"),
    Case("x.hurl", "GET http://x\nHTTP 200\n[Asserts]\nstatus\n", "4:1: expected a predicate"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\n[Asserts]\nstatus is 1\n",
      "4:1: unknown predicate 'is'; there are ==, !=, >, >=, <, <=, startsWith, endsWith, contains, "
        + "matches, exists, isInteger, isFloat, isNumber, isBoolean, isString, isCollection, isList, "
        + "isObject, isEmpty, isUuid, isIsoDate, isIpv4"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\n[Asserts]\nweather == 1\n",
      "4:1: unknown query 'weather'; there are status, url, body, bytes, duration, header, cookie, "
        + "jsonpath, variable, redirects, regex, sha256, md5, version, xpath"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\n[Asserts]\nheader \"a\" == \"b\n",
      "4:15: the text in quotes has no end"),
    Case(
      "x.hurl", "GET http://x\nHTTP 200\nHTTP 200\n", "3:1: a request can have only one response"),
  ]

  @Test(arguments: [
    ("a.json", #"{"id": "1", "requests": [], "order": []}"#, "a Postman collection of version 1"),
    ("a.json", #"{"_type": "export", "__export_format": 4}"#, "an export of Insomnia"),
    ("a.yml", "# owls\n---\n\"asyncapi\": 3.0.2\npaths: {}\n", "an AsyncAPI document"),
    ("a.yaml", "type: collection.insomnia.rest/5.0\nname: x\n", "an export of Insomnia"),
    ("a.yaml", "flow: 1\nsteps: []\n", "a scenario of flow"),
    ("a.txt", "<?xml version=\"1.0\"?>\n<jmeterTestPlan/>\n", "a test plan of JMeter"),
  ]) func `a file of a tool that is not supported is called by its name`(
    _ name: String, _ text: String, _ kind: String
  ) throws {
    let error = #expect(throws: ImportError.self) {
      try Import(reading: Array(text.utf8), named: name)
    }

    #expect(
      error?.message
        == "\(kind) is not supported; flow imports curl, HAR, Hurl, .http, Postman, Bruno and OpenAPI"
    )
  }

  @Test(arguments: [
    ("a.json", #"{"swagger": "2.0"}"#), ("a.yaml", "# owls\nswagger: '2.0'\npaths: {}\n"),
  ]) func `a description older than OpenAPI 3 has to be converted`(
    _ name: String, _ text: String
  ) throws {
    let error = #expect(throws: ImportError.self) {
      try Import(reading: Array(text.utf8), named: name)
    }

    #expect(error?.message == "a Swagger document is not supported; convert it to OpenAPI 3")
  }

  @Test func `an environment of Postman alone is no scenario`() throws {
    let text = #"{"values": [], "_postman_variable_scope": "globals"}"#

    let error = #expect(throws: ImportError.self) {
      try Import(reading: Array(text.utf8), named: "a.json")
    }

    #expect(
      error?.message
        == "a Postman environment is not supported; pass it with '--environment' beside its collection"
    )
  }

  @Test func `more requests than a scenario should have are an error`() {
    let text = String(repeating: "GET http://x\n", count: 10_001)

    let error = #expect(throws: ImportError.self) {
      try Import(reading: Array(text.utf8), named: "x.hurl")
    }

    #expect(error?.line == 10_001)
    #expect(error?.message == "there are more than 10000 requests")
  }
}
