internal import FlowSystem

/// What a request, a folder or a collection of Bruno says, from a file of either form.
struct BrunoParts {
  struct Pair {
    var name: String
    var value: String
    var isDisabled = false
    var line: Int
  }

  /// A field of a form with files.
  struct Part {
    let name: String
    let value: String
    let isFile: Bool
    var type: String?
    let isDisabled: Bool
    let line: Int
  }

  enum Body {
    case none
    case text(String, language: String, line: Int)
    case form([Pair], line: Int)
    case multipart([Part], line: Int)
    case file(String, line: Int)
    case graphQL(String, variables: String, line: Int)
  }

  var name = ""
  var kind = "http"
  /// The place among its neighbours, or nil.
  var sequence: Int?
  var line = 1
  var method = ""
  var address = ""
  var query: [Pair] = []
  var path: [Pair] = []
  var headers: [Pair] = []
  var body = Body.none
  private var fileType: Pair?
  /// The kind of authentication, empty to inherit it.
  var authentication = ""
  var credentials: [Pair] = []
  /// The further parameters of the request for a token, with the place of each.
  var tokenParameters: [(pair: Pair, place: String)] = []
  /// The lines with examples of answers.
  var examples: [Int] = []
  var before: [(code: String, line: Int)] = []
  var after: [(code: String, line: Int)] = []
  var variables: [Pair] = []
  var settings: [Pair] = []
  /// The parts that are not supported.
  var leftOut: [(line: Int, what: String)] = []

  /// Returns a copy with headers from around it, unless it has its own of the same name.
  func inheriting(_ outer: [Pair]) -> BrunoParts {
    var copy = self
    let own = Set(headers.filter { !$0.isDisabled }.map { $0.name.lowercased() })
    copy.headers = outer.filter { !own.contains($0.name.lowercased()) } + headers
    return copy
  }

  /// Sets the body to a file, whose type counts unless a header has one.
  mutating func setBody(_ file: Part, _ line: Int) {
    body = .file(file.value, line: line)
    fileType = file.type.map { Pair(name: "content-type", value: $0, line: line) }
  }

  /// The headers, with the type of a body that is a file.
  private var allHeaders: [Pair] {
    let isGiven = headers.contains { !$0.isDisabled && $0.name.lowercased() == "content-type" }
    return headers + (isGiven ? [] : [fileType].compactMap(\.self))
  }

  /// Notes the settings that have no equivalent.
  mutating func noteSettings() {
    for setting in settings where !setting.value.isEmpty {
      let isKnown =
        switch setting.name {
        case "encodeUrl", "followRedirects": ["true", "false"].contains(setting.value)
        case "timeout": setting.value == "inherit" || Int32(setting.value).map { $0 >= 0 } ?? false
        case "maxRedirects": Int32(setting.value).map { $0 >= 0 } ?? false
        default: false
        }
      if !isKnown { leftOut.append((setting.line, "the setting '\(setting.name.onOneLine)'")) }
    }
  }

  private func setting(_ name: String) -> Pair? { settings.first { $0.name == name } }

  /// The settings that differ from Bruno's own, in Postman's form.
  private var behavior: PlacedJSON {
    func isOff(_ name: String) -> PlacedJSON? {
      setting(name).flatMap { $0.value == "false" ? .bool(false, $0.line) : nil }
    }
    func number(_ name: String, unless plain: Int) -> (Int, line: Int)? {
      setting(name).flatMap { setting in
        Int32(setting.value).flatMap { $0 == plain || $0 < 0 ? nil : (Int($0), setting.line) }
      }
    }
    return .object(
      [
        "disableBodyPruning": .bool(true, line),
        "followRedirects": isOff("followRedirects"),
        "disableUrlEncoding": isOff("encodeUrl").map { .bool(true, $0.line) },
        "maxRedirects": number("maxRedirects", unless: 5).map { .text("\($0.0)", $0.line) },
        "requestTimeout": number("timeout", unless: 0).map { .text("\($0.0)ms", $0.line) },
      ], line)
  }

  // MARK: - Postman's form

  /// The request in Postman's form.
  var item: PlacedJSON {
    guard ["http", "graphql", "http-request", "graphql-request"].contains(kind) else {
      return .object(
        [
          "name": .text(name, line), "left": .text("a request of the kind '\(kind)'", line),
        ], line)
    }
    return .object(
      [
        "name": .text(name, line),
        "request": .object(
          [
            "method": .text(method.uppercased(), line), "url": url,
            "header": pairs(allHeaders), "body": content, "auth": auth,
          ], line),
        "event": events, "variable": pairs(variables),
        "protocolProfileBehavior": behavior,
        "response": .list(examples.map { .text("", $0) }, line),
        "leftOut": .list(leftOut.map { .text($0.what, $0.line) }, line),
      ], line)
  }

  /// A folder or a collection with these items in Postman's form.
  func folder(named name: String, _ items: [PlacedJSON]) -> PlacedJSON {
    .object(
      [
        "name": .text(name, line), "info": .object(["name": .text(name, line)], line),
        "auth": auth, "event": events, "variable": pairs(variables), "item": .list(items, line),
        "leftOut": .list(leftOut.map { .text("\($0.what) is not supported", $0.line) }, line),
      ], line)
  }

  private func pairs(_ list: [Pair]) -> PlacedJSON {
    .list(list.map { .pair($0.name, $0.value, $0.line, isDisabled: $0.isDisabled) }, line)
  }

  /// The scripts, without the empty ones.
  private var events: PlacedJSON {
    let scripts = [(before, true), (after, false)].filter { !$0.0.isEmpty }
    return .list(scripts.map { .script($0.0, isBefore: $0.1) }, line)
  }

  private var url: PlacedJSON {
    let start = String(address.prefix { $0 != "?" })
    let isWritten = query.isEmpty
    return .object(
      [
        "raw": .text(isWritten ? address : start, line),
        "variable": pairs(path), "query": isWritten ? nil : pairs(query),
      ], line)
  }

  private var auth: PlacedJSON? {
    let values = credentials
    func entry(_ key: String, _ from: String) -> PlacedJSON {
      let text = values.first { $0.name == from }?.value ?? ""
      return .pair(key, text, values.first { $0.name == from }?.line ?? line)
    }
    switch authentication {
    case "", "inherit": return nil
    case "none": return .object(["type": .text("noauth", line)], line)
    case "basic":
      let list = [entry("username", "username"), entry("password", "password")]
      return .object(["type": .text("basic", line), "basic": .list(list, line)], line)
    case "bearer":
      return .object(
        ["type": .text("bearer", line), "bearer": .list([entry("token", "token")], line)], line)
    case "apikey":
      let isQuery = values.contains { $0.name == "placement" && $0.value.hasPrefix("query") }
      let list = [
        entry("key", "key"), entry("value", "value"),
        .pair("in", isQuery ? "query" : "header", line),
      ]
      return .object(["type": .text("apikey", line), "apikey": .list(list, line)], line)
    default:
      var list = credentials.map { pair -> PlacedJSON in
        let name = Self.credentialNames[pair.name] ?? pair.name
        let isQuery = name == "addTokenTo" && pair.value == "url"
        return PlacedJSON.pair(name, isQuery ? "queryParams" : pair.value, pair.line)
      }
      if authentication == "oauth2", !tokenParameters.isEmpty {
        list.append(
          .object(["key": .text("tokenRequestParams", line), "value": parametersOfTokens], line))
      }
      return PlacedJSON(
        line: line,
        content: .object([
          .init(name: "type", value: .text(authentication, line)),
          .init(name: authentication, value: .list(list, line)),
        ]))
    }
  }

  /// Postman's names of credentials, by Bruno's names.
  private static let credentialNames = [
    "accessKeyId": "accessKey", "secretAccessKey": "secretKey",
    "access_token_url": "accessTokenUrl", "client_id": "clientId", "client_secret": "clientSecret",
    "grantType": "grant_type", "flow": "grant_type",
    "credentials_placement": "client_authentication",
    "credentialsPlacement": "client_authentication", "placement": "client_authentication",
    "token_placement": "addTokenTo", "tokenPlacement": "addTokenTo",
    "token_header_prefix": "headerPrefix", "tokenHeaderPrefix": "headerPrefix",
    "header": "headerPrefix",
  ]

  private var parametersOfTokens: PlacedJSON {
    .list(
      tokenParameters.map { pair, place in
        .object(
          [
            "key": .text(pair.name, pair.line), "value": .text(pair.value, pair.line),
            "send_as": .text(place == "body" ? "request_body" : place, pair.line),
            "disabled": pair.isDisabled ? .bool(true, pair.line) : nil,
          ], pair.line)
      }, line)
  }

  private var content: PlacedJSON? {
    switch body {
    case .none: return nil
    case .text(let text, let language, let line):
      return .object(
        [
          "mode": .text("raw", line), "raw": .text(text, line),
          "options": .object(["raw": .object(["language": .text(language, line)], line)], line),
        ], line)
    case .form(let fields, let line):
      return .object(["mode": .text("urlencoded", line), "urlencoded": pairs(fields)], line)
    case .multipart(let parts, let line):
      let list = parts.map { part -> PlacedJSON in
        .object(
          [
            "key": .text(part.name, part.line),
            "type": .text(part.isFile ? "file" : "text", part.line),
            "src": part.isFile ? .text(part.value, part.line) : nil,
            "value": part.isFile ? nil : .text(part.value, part.line),
            "contentType": part.type.map { .text($0, part.line) },
            "disabled": part.isDisabled ? .bool(true, part.line) : nil,
          ], part.line)
      }
      return .object(["mode": .text("formdata", line), "formdata": .list(list, line)], line)
    case .file(let path, let line):
      return .object(
        [
          "mode": .text("file", line),
          "file": .object(["src": .text(path, line)], line),
        ], line)
    case .graphQL(let query, let variables, let line):
      return .object(
        [
          "mode": .text("graphql", line),
          "graphql": .object(
            ["query": .text(query, line), "variables": .text(variables, line)], line),
        ], line)
    }
  }

  // MARK: - Scripts

  /// Adds a variable that is set from the answer.
  mutating func capture(_ name: String, _ expression: String, _ line: Int) {
    after.append(("bru.setVar(\(name.scriptLiteral), \(expression));", line))
  }

  /// Adds a condition such as `res.status: eq 200`.
  mutating func demand(_ subject: String, _ written: String, _ line: Int) {
    let words = written.split(separator: " ", maxSplits: 1).map(String.init)
    let known = words.first.map { Self.conditions[$0] != nil || Self.words[$0] != nil } ?? false
    let name = known ? words[0] : "eq"
    let operand = known ? (words.count > 1 ? words[1] : "") : written
    guard let code = Self.condition(name, operand.trimmed) else {
      leftOut.append((line, "the condition '\(String(name.prefix(40)))'"))
      return
    }
    after.append(("expect(\(subject)).\(code);", line))
  }

  /// The operators without an operand as words of Chai.
  private static let words = [
    "isEmpty": "to.be.empty", "isNull": "to.be.null", "isUndefined": "to.be.undefined",
    "isDefined": "to.not.be.undefined", "isTruthy": "to.be.ok", "isFalsy": "to.not.be.ok",
    "isNumber": "to.be.a('number')", "isString": "to.be.a('string')",
    "isBoolean": "to.be.a('boolean')", "isArray": "to.be.an('array')",
    "isJson": "to.be.an('object')", "isNotEmpty": "to.not.be.empty",
  ]
  /// The operators with an operand as calls of Chai.
  private static let conditions = [
    "eq": "to.equal", "neq": "to.not.equal", "gt": "to.be.above", "gte": "to.be.at.least",
    "lt": "to.be.below", "lte": "to.be.at.most", "contains": "to.include",
    "notContains": "to.not.include", "length": "to.have.lengthOf", "in": "to.be.oneOf",
    "notIn": "to.not.be.oneOf", "matches": "to.match", "notMatches": "to.not.match",
    "startsWith": "to.match", "endsWith": "to.match", "between": "to.be.within",
  ]

  private static func condition(_ name: String, _ operand: String) -> String? {
    if let word = words[name] { return word }
    guard let call = conditions[name] else { return nil }
    switch name {
    case "in", "notIn":
      return "\(call)([\(list(operand).joined(separator: ", "))])"
    case "between": return "\(call)(\(list(operand).joined(separator: ", ")))"
    case "matches", "notMatches":
      let isPattern = operand.count > 1 && operand.hasPrefix("/") && operand.hasSuffix("/")
      let pattern = isPattern ? String(operand.dropFirst().dropLast()) : operand
      return "\(call)(/\(pattern.replacing("\\/", with: "/").replacing("/", with: "\\/"))/)"
    case "startsWith": return "\(call)(/^\(operand.escapedPattern)/)"
    case "endsWith": return "\(call)(/\(operand.escapedPattern)$/)"
    default: return "\(call)(\(Self.operand(operand)))"
    }
  }

  private static func list(_ text: String) -> [String] {
    var text = text
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    return text.split(separator: ",").map { operand(String($0).trimmed) }
  }

  /// Returns an operand as JavaScript.
  private static func operand(_ text: String) -> String {
    if ["true", "false", "null", "undefined"].contains(text) { return text }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) {
      return text
    }
    if text.contains("{{") { return "bru.interpolate(\(text.scriptLiteral))" }
    let isQuoted = text.count > 1 && "\"'".contains(text.first ?? " ") && text.first == text.last
    return isQuoted ? text : text.scriptLiteral
  }
}

extension String {
  /// The text as a literal of JavaScript.
  fileprivate var scriptLiteral: String {
    let escaped = replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      .replacing("\n", with: "\\n")
    return "'\(escaped)'"
  }

  /// The text as a pattern that matches it alone.
  fileprivate var escapedPattern: String {
    var result = ""
    for character in self {
      if "\\^$.|?*+()[]{}/".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
