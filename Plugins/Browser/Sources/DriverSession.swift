import FlowCore

/// A session of a driver, as defined in https://www.w3.org/TR/webdriver2/.
struct DriverSession: Sendable {
  /// The name of the session, a part of paths.
  let id: String
  /// The folder of the browser's files on the driver's machine, or nil if the driver does not say.
  let folder: String?

  private static let driver = Role(
    "driver", "Connects to chromedriver: an 'http' component with its address.")
  private static let path = Parameter<String>("path", "The command's path.")
  private static let ask = driver.call(
    "get", path, answers: DriverAnswer.record, errors: ErrorCode.transport,
    internally: true)
  private static let tell = driver.call(
    "post", path, Parameter<Value>("json", "The command's parameters."),
    answers: DriverAnswer.record, errors: ErrorCode.transport,
    internally: true)
  private static let remove = driver.call(
    "delete", path, answers: DriverAnswer.record, errors: ErrorCode.transport,
    internally: true)

  /// The operations used of the role.
  ///
  /// They name the session, elements and folders of one run, and a wait asks as often as it takes.
  static let uses: [any DeclaredRoleUse] = [ask, tell, remove]

  /// Starts a session and with it a browser.
  static func begin(
    _ settings: BrowserSettings, _ context: Context
  ) async throws -> DriverSession {
    let answer = try await value {
      try await tell("session", .object(["capabilities": settings.capabilities]), in: context)
    }
    guard let id = answer["sessionId"]?.pathPart else { throw BrowserError.shape("a session") }
    let folder = answer["capabilities"]?["chrome"]?["userDataDir"]?.text
    return DriverSession(id: id, folder: folder)
  }

  /// Ends the session and its browser.
  func end(_ context: Context) async throws {
    _ = try await Self.value { try await Self.remove("session/\(id)", in: context) }
  }

  /// Sends a command without parameters.
  func get(_ command: String, _ context: Context) async throws -> Value {
    try await Self.value { try await Self.ask("session/\(id)/\(command)", in: context) }
  }

  /// Sends the command that closes the window, and returns the names of the remaining ones.
  func deleteWindow(_ context: Context) async throws -> Value {
    try await Self.value { try await Self.remove("session/\(id)/window", in: context) }
  }

  /// Sends a command with parameters.
  @discardableResult
  func post(
    _ command: String, _ parameters: KeyValuePairs<String, Value>, _ context: Context
  ) async throws -> Value {
    try await Self.value {
      try await Self.tell("session/\(id)/\(command)", .object(parameters), in: context)
    }
  }

  /// Runs a function's body in the page.
  func run(_ script: String, _ arguments: [Value], _ context: Context) async throws -> Value {
    try await post(
      "execute/sync", ["script": .string(script), "args": .list(arguments)], context)
  }

  private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

  /// Returns an element in the form for scripts.
  static func reference(_ element: String) -> Value {
    .map(ValueMap([(elementKey, .string(element))]))
  }

  /// Returns the element that a script has returned, in the form for paths, or nil for another
  /// value.
  func element(in answer: Value) -> String? { answer[Self.elementKey]?.pathPart }

  /// Sends a command of https://chromedevtools.github.io/devtools-protocol/ through the driver.
  func command(
    _ name: String, _ parameters: KeyValuePairs<String, Value>, _ context: Context
  ) async throws -> Value {
    try await post(
      "goog/cdp/execute", ["cmd": .string(name), "params": .object(parameters)], context)
  }

  /// Sets the size of the viewport, since that of the window would include the window's frame.
  func resize(_ width: Int, _ height: Int, _ context: Context) async throws {
    _ = try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .int(width), "height": .int(height), "deviceScaleFactor": .int(0),
        "mobile": .bool(false),
      ], context)
  }

  /// Sets media features, with nil for the system's value.
  func prefer(_ features: [(String, String?)], _ context: Context) async throws {
    let list = features.map { name, value in
      Value.object(["name": .string(name), "value": .string(value ?? "")])
    }
    _ = try await command("Emulation.setEmulatedMedia", ["features": .list(list)], context)
  }

  /// Returns the value in a response.
  private static func value(_ call: () async throws -> DriverAnswer) async throws -> Value {
    let answer: DriverAnswer
    do { answer = try await call() } catch let error as ComponentError
      where error.code != .unexpected
    {
      throw BrowserError.unavailable(error.message)
    }
    return try answer.value()
  }
}

/// The part of the driver's response in use.
struct DriverAnswer: Sendable {
  var status: Int
  var json: Value

  static let record = Record(
    DriverAnswer.init(status:json:), Field("status", \.status, "The status code."),
    Field("json", \.json, "The body, decoded from JSON."))

  /// Returns the command's result.
  ///
  /// - Throws: `BrowserError` for an error, and for a response that is not WebDriver's.
  func value() throws(BrowserError) -> Value {
    guard case .map(let body) = json, let value = body["value"] else {
      throw .notADriver(status: status)
    }
    guard status != 200 else { return value }
    guard let error = value["error"]?.text else { throw .notADriver(status: status) }
    throw .driver(error, value["message"]?.text ?? "")
  }
}

extension Value {
  /// Creates a map from members.
  static func object(_ members: KeyValuePairs<String, Value>) -> Value {
    .map(ValueMap(members.map { ($0.key, $0.value) }))
  }

  /// A member of a map, or nil for any other value.
  subscript(name: String) -> Value? {
    guard case .map(let map) = self else { return nil }
    return map[name]
  }

  /// The text of a string, or nil.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements of a list, or nil.
  var elements: [Value]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }

  /// The text if it is safe as a part of a path and leads nowhere else, or nil.
  fileprivate var pathPart: String? {
    guard let text, 1...200 ~= text.utf8.count, text != ".", text != ".." else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains(scalar))
    }
    return isPlain ? text : nil
  }
}
