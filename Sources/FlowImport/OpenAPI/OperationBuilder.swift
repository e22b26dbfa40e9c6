internal import FlowCore
internal import FlowOpenAPI
internal import FlowRedaction
internal import FlowSchema
internal import FlowSystem

/// Builds the request of an operation.
struct OperationBuilder {
  static let localServer = "http://localhost:8080"

  let operation: OpenAPIOperation
  private let contract: String?
  var scenario: ImportedScenario
  private var cookies: [ImportedText] = []

  init(_ operation: OpenAPIOperation, _ contract: String?, _ scenario: ImportedScenario) {
    (self.operation, self.contract, self.scenario) = (operation, contract, scenario)
  }

  /// Returns the request with its component's settings and its expected status.
  mutating func request(isNamed: Bool) -> ImportedRequest {
    let base = base()
    var request = ImportedRequest(line: operation.line, method: operation.method, url: base)
    if isNamed { request.name = ImportedText(operation.title) }
    if operation.path.contains("?") {
      scenario.note(
        operation.line,
        "'\(operation.name.onOneLine)' has no contract, since its path has a query")
    } else if let contract {
      request.settings.set("contract", ImportedText(contract))
    }
    identify(&request)
    request.url = base + path(&request)
    for parameter in operation.parameters where parameter.place != .path {
      add(parameter, to: &request)
    }
    if !cookies.isEmpty {
      let pairs = cookies.dropFirst().reduce(cookies[0]) { $0 + ImportedText("; ") + $1 }
      request.addHeader("cookie", pairs)
    }
    addBody(to: &request)
    if let status = operation.expectedStatus { request.expect("status", status) }
    for part in operation.otherParts {
      scenario.note(part.line, "\(part.name.onOneLine) of '\(operation.name)' is not imported")
    }
    return request
  }

  // MARK: - The server

  private mutating func base() -> ImportedText {
    let server = operation.server ?? ""
    var address = Self.localServer
    if ["http://", "https://"].contains(where: server.lowercased().hasPrefix),
      !server.contains(where: { "?#@".contains($0) || $0.isWhitespace })
    {
      address = server
    } else if server.hasPrefix("/") {
      // Relative to the address of the description, which is unknown.
      address += server
    }
    while address.hasSuffix("/") { address.removeLast() }
    return scenario.sharedInput("base", default: address)
  }

  // MARK: - Credentials

  private mutating func identify(_ request: inout ImportedRequest) {
    var hasLogin = false
    for credential in operation.credentials {
      switch credential.kind {
      case .bearer where !hasLogin:
        request.settings.set("bearer", scenario.sharedInput("bearer", isSecret: true))
        hasLogin = true
      case .basic where !hasLogin:
        request.settings.set("user", scenario.sharedInput("user"))
        request.settings.set("password", scenario.sharedInput("password", isSecret: true))
        hasLogin = true
      case .digest where !hasLogin:
        let password = scenario.sharedInput("password", isSecret: true)
        request.identify(
          "digest", [.text("user", scenario.sharedInput("user")), .text("password", password)])
        hasLogin = true
      case .client(let url, let scopes) where !hasLogin:
        identify(byTokenOf: url, scopes, &request)
        hasLogin = true
      case .certificate:
        for name in ["client_cert", "client_key"] {
          request.settings.set(name, scenario.sharedInput(name))
        }
      case .key(let place, let name) where place != .path && name.isShortName && !name.isEmpty:
        addKey(name, in: place, to: &request)
      default:
        let name = "'\(credential.name.onOneLine)'"
        scenario.note(operation.line, "the security scheme \(name) is not supported")
      }
    }
  }

  private mutating func identify(
    byTokenOf url: String, _ scopes: [String], _ request: inout ImportedRequest
  ) {
    var entries: [ImportedValue.Entry] = [
      .text("token_url", ImportedText(url)),
      .text("client_id", scenario.sharedInput("client_id")),
      .text("client_secret", scenario.sharedInput("client_secret", isSecret: true)),
    ]
    if !scopes.isEmpty {
      entries.append(.text("scope", ImportedText(scopes.joined(separator: " "))))
    }
    request.identify("oauth2", entries)
  }

  private mutating func addKey(
    _ name: String, in place: OpenAPIParameter.Place, to request: inout ImportedRequest
  ) {
    let input = scenario.sharedInput(name, isSecret: true)
    switch place {
    case .header: request.addHeader(name, input)
    case .query: request.query.append((name, input))
    case .cookie: cookies.append(ImportedText(name + "=") + input)
    case .path: break
    }
  }

  // MARK: - Parameters

  private mutating func path(_ request: inout ImportedRequest) -> ImportedText {
    var (text, rest) = (ImportedText(), Substring(operation.sentPath))
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let name = String(rest[start..<end].dropFirst())
      text.append(String(rest[..<start]))
      let parameter = operation.parameters.first {
        $0.place == .path && $0.name.isIdentical(to: name)
      }
      text.append(parameter.map { pathText($0) } ?? scenario.sharedInput(name))
      rest = rest[end...].dropFirst()
    }
    text.append(String(rest))
    return text
  }

  private mutating func pathText(_ parameter: OpenAPIParameter) -> ImportedText {
    guard let value = value(of: parameter), !parameter.isSecret(value),
      let text = try? ParameterWriter(parameter).pathText(value), text != ".", text != ".."
    else { return input(for: parameter) }
    return ImportedText(text)
  }

  private mutating func add(_ parameter: OpenAPIParameter, to request: inout ImportedRequest) {
    let value = value(of: parameter)
    guard parameter.isRequired || value != nil else { return }
    var fields: [(name: String, text: String)]?
    if let value, !parameter.isSecret(value) {
      let writer = ParameterWriter(parameter)
      fields =
        parameter.place == .header
        ? (try? writer.headerText(value)).map { [(parameter.name, $0)] } : try? writer.fields(value)
    }
    guard let fields else { return add(parameter.name, input(for: parameter), parameter, &request) }
    for field in fields {
      let text = scenario.text(ImportedText(field.text), line: operation.line)
      switch parameter.place {
      case .query:
        // The field `query` encodes all of a text, also its separators.
        if let plain = field.text.percentDecoded,
          PercentEncoding.component.encode(plain.utf8) == field.text
        {
          let text = scenario.text(ImportedText(plain), line: operation.line)
          add(field.name, text, parameter, &request)
        } else if field.name.isShortName {
          let name = PercentEncoding.component.encode(field.name.utf8)
          let sign = request.url.hasQuery ? "&" : "?"
          request.url = request.url + ImportedText(sign + name + "=") + text
        }
      default: add(field.name, text, parameter, &request)
      }
    }
  }

  private mutating func add(
    _ name: String, _ text: ImportedText, _ parameter: OpenAPIParameter,
    _ request: inout ImportedRequest
  ) {
    guard name.isShortName else { return }
    switch parameter.place {
    case .query: request.query.append((name, text))
    case .header: request.addHeader(name, text)
    case .cookie: cookies.append(ImportedText(ParameterWriter.cookie(name, "")) + text)
    case .path: break
    }
  }

  private mutating func input(for parameter: OpenAPIParameter) -> ImportedText {
    scenario.sharedInput(
      parameter.name, type: parameter.inputType,
      isSecret: CredentialNames.isSecret(parameter.name) || parameter.isPassword)
  }

  /// Returns the first example that the schema allows.
  ///
  /// A parameter that every request has may also get a default, and a list or an object a sample.
  private mutating func value(of parameter: OpenAPIParameter) -> Value? {
    let isNeeded = parameter.isRequired
    guard let schema = parameter.schema else { return operation.examples(of: parameter).first }
    let own = operation.examples(of: parameter)
    let examples = own + schema.examples(orDefaults: isNeeded)
    if let value = examples.lazy.compactMap({ schema.allowed($0) }).first { return value }
    if !own.isEmpty {
      scenario.note(
        operation.line(of: parameter),
        "no example of the parameter '\(parameter.name.onOneLine)' is valid for its schema")
    }
    return isNeeded && parameter.isCollection ? schema.sample() : nil
  }
}

extension OpenAPIOperation {
  /// The first successful status, or the first declared one, as an expectation.
  fileprivate var expectedStatus: ImportedValue? {
    let status = responses.first { $0.status.isSuccess } ?? responses.first
    switch status?.status {
    case .exact(let code)?: return .number(String(code))
    case .class(let digit)?:
      let condition = "it >= \(digit)00 && it < \(digit + 1)00"
      return .text(ImportedText(expression: condition))
    case .default?, nil: return nil
    }
  }
}

extension ImportedText {
  /// True for a URL with a query.
  fileprivate var hasQuery: Bool {
    pieces.contains { piece in
      if case .literal(let text) = piece { text.contains("?") } else { false }
    }
  }
}
