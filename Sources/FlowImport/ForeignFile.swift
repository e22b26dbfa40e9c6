internal import FlowSystem

/// The files of other tools that are recognised by their content but cannot be imported.
enum ForeignFile {
  /// Returns the name of such a file, with its article, or nil for any other file.
  static func kind(of text: String, named name: String) -> String? {
    if let kind = kinds[name.split(separator: ".").last.map { $0.lowercased() } ?? ""] {
      return kind
    }
    let start = text[...].drop(while: \.isWhitespace)
    if start.first == "{", let json = try? JSONParser.parse(Array(start.utf8)[...]) {
      // Invalid JSON is reported as an error of the assumed format.
      return kind(of: json)
    }
    if start.first == "<" { return kind(ofXML: start) }
    return kind(ofLines: start)
  }

  /// The name of a file that belongs beside a collection.
  static let environment = "a Postman environment"

  /// The name of a description older than OpenAPI 3.
  static let swagger = "a Swagger document"

  /// The name of JSON with none of the known marks.
  static let unknownJSON = "this JSON"

  /// Returns true for a description of OpenAPI 3, as YAML or JSON.
  static func isOpenAPI(_ text: String) -> Bool {
    let start = text[...].drop(while: \.isWhitespace)
    if start.first == "{" {
      // Invalid JSON is reported as an error of the assumed format.
      return (try? JSONParser.parse(Array(start.utf8)[...]))?["openapi"] != nil
    }
    return hasMember("openapi", start)
  }

  /// Returns true if a line starts with a name and a colon: members have any order.
  private static func hasMember(_ name: String, _ text: Substring) -> Bool {
    let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    return text.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
      var rest = line
      if let first = rest.first, quotes.contains(first) { rest = rest.dropFirst() }
      guard rest.starts(with: name.utf8) else { return false }
      rest = rest.dropFirst(name.utf8.count)
      if let first = rest.first, quotes.contains(first) { rest = rest.dropFirst() }
      return rest.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ":")
    }
  }

  /// Returns true for a request of Bruno in its own language or in YAML, or for its collection.
  static func isBruno(_ text: String) -> Bool {
    let start = text[...].drop(while: \.isWhitespace)
    if start.hasPrefix("meta {") { return true }
    if hasMember("opencollection", start) { return true }
    let first = start.split(separator: "\n", maxSplits: 200).prefix(200)
      .first { !$0.hasPrefix("#") && !$0.hasPrefix("---") }
    return first.map { hasMember("info", $0) } == true
      && (hasMember("http", start) || hasMember("graphql", start))
  }

  /// Returns true for a collection of Postman, version 2.
  static func isPostman(_ text: String) -> Bool {
    guard let json = try? JSONParser.parse(Array(text.utf8)[...]), json["item"] != nil else {
      // Invalid JSON is reported as an error of the assumed format.
      return false
    }
    return json["info"] != nil
  }

  private static let kinds = [
    "jmx": "a test plan of JMeter", "raml": "a RAML document",
    "wsdl": "a WSDL document",
  ]

  private static let members = [
    ("swagger", swagger), ("asyncapi", "an AsyncAPI document"), ("arazzo", "an Arazzo document"),
    ("__export_format", "an export of Insomnia"),
  ]

  private static func kind(of json: JSON) -> String? {
    if json["log"] != nil { return nil }
    if json["_postman_variable_scope"] != nil { return environment }
    if let member = members.first(where: { json[$0.0] != nil }) { return member.1 }
    if json["order"] != nil, json["requests"] != nil {
      return "a Postman collection of version 1"
    }
    if json["folders"] != nil, json["requests"] != nil { return "a collection of Hoppscotch" }
    return unknownJSON
  }

  private static func kind(ofXML text: Substring) -> String? {
    let start = text.prefix(4096)
    let marks = [
      ("<jmeterTestPlan", "a test plan of JMeter"), ("soapui-project", "a project of SoapUI"),
      ("schemas.xmlsoap.org/wsdl", "a WSDL document"),
    ]
    return marks.first { start.contains($0.0) }?.1
  }

  private static func kind(ofLines text: Substring) -> String? {
    if text.hasPrefix("#%RAML") { return "a RAML document" }
    for line in text.split(separator: "\n", maxSplits: 200).prefix(200) {
      let name = line.prefix { $0 != ":" }.filter { $0 != "\"" && $0 != "'" }
      guard line.dropFirst(name.count).contains(":") else { continue }
      if name == "flow" { return "a scenario of flow" }
      if line.contains("insomnia.rest/") { return "an export of Insomnia" }
    }
    return members.first { hasMember($0.0, text) }?.1
  }
}
