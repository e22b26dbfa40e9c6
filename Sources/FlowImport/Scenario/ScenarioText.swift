internal import FlowCore
internal import FlowSystem
internal import FlowYAML

/// The text of a scenario from imported requests.
struct ScenarioText {
  private typealias Entry = (key: String, value: YAMLText.Node)

  private let scenario: ImportedScenario
  private let hider: SecretHider
  /// The common server of all addresses, or nil if it differs.
  private let base: ImportedText?
  private var components: [Component] = []
  private var indices: [ImportedRequest.Settings: Int] = [:]
  private var requests: [ImportedRequest]

  private struct Component {
    let name: String
    let settings: ImportedRequest.Settings
    /// The headers common to all of its requests.
    var headers: [(name: String, value: ImportedText)]
    var requestCount = 1
  }

  /// Creates the text of a scenario.
  ///
  /// `seeing` receives each literal in it, as it is sent.
  init(_ scenario: ImportedScenario, seeing: @escaping (String) -> Void = { _ in }) {
    self.scenario = scenario
    hider = SecretHider(scenario, seeing: seeing)
    requests = scenario.requests
    base = Self.base(of: requests)
    for index in requests.indices where base == nil && requests[index].settings.needsServer {
      requests[index].settings.server = Self.parts(of: requests[index].url)?.server
    }
    for request in requests {
      guard let index = indices[request.settings] else {
        indices[request.settings] = components.count
        let name = components.isEmpty ? "api" : "api\(components.count + 1)"
        let headers = request.headers.filter {
          request.has($0) && Self.readsInputsAlone($0.value)
        }
        components.append(Component(name: name, settings: request.settings, headers: headers))
        continue
      }
      components[index].requestCount += 1
      components[index].headers.removeAll { !request.has($0) }
    }
    for index in components.indices where components[index].requestCount == 1 {
      components[index].headers = []
    }
    for index in requests.indices {
      let shared = indices[requests[index].settings].map { components[$0].headers } ?? []
      for header in shared { requests[index].removeHeader(header.name.lowercased()) }
    }
  }

  /// Returns true if a component can be opened with a text: before all calls, only inputs are
  /// known.
  private static func readsInputsAlone(_ text: ImportedText) -> Bool {
    text.pieces.allSatisfy { piece in
      guard case .expression(let code) = piece else { return true }
      return code.hasPrefix("inputs.") && code.dropFirst(7).isName
    }
  }

  var text: String {
    var entries: [Entry] = []
    var components: [Entry] = components.map { ($0.name, node($0)) }
    let kinds = requests.flatMap { $0.preparations.compactMap(\.component) }
    for kind in kinds.unique.sorted() {
      let plugin = kind == "files" ? "file" : kind
      components.append((kind, .map([("plugin", .raw(plugin))])))
    }
    if !components.isEmpty { entries.append(("components", .block(components))) }
    let steps = requests.flatMap(allSteps)
    entries.append(("steps", steps.isEmpty ? .list([]) : .lines(steps)))
    var body = YAMLText()
    body.map(entries)
    body.comments(comments(scenario.lastComments))
    var (head, start) = (YAMLText(), [Entry]())
    start.append(("flow", .raw("1")))
    if !scenario.name.isEmpty { start.append(("name", literal(scenario.name))) }
    if !scenario.tags.isEmpty { start.append(("tags", .list(scenario.tags.map(literal)))) }
    let inputs = inputs(readBy: body.text)
    if !inputs.isEmpty { start.append(("inputs", .block(inputs))) }
    head.map(start)
    return head.text + body.text
  }

  /// Returns the node of a text that has no expressions.
  private func literal(_ text: String) -> YAMLText.Node {
    let hidden = hider.text(ImportedText(text.replacing("${{", with: "{{")))
    return .text(ImportedText(hidden.literal ?? "imported").template)
  }

  /// Returns the inputs of the scenario, without those of unsupported parts only.
  private func inputs(readBy text: String) -> [Entry] {
    let read = Set(
      text.split(separator: "inputs.").dropFirst()
        .map { $0.prefix { $0.isLetter || $0.isNumber || $0 == "_" } })
    let written = scenario.inputs.filter {
      $0.isSecret && $0.answerLine == nil || read.contains($0.name[...])
    }
    return written.map { input in
      var entries: [Entry] = [("type", .raw(input.type))]
      if input.isSecret {
        entries.append(("secret", .raw("true")))
      } else if let value = defaultValue(of: input) {
        entries.append(("default", value))
      }
      return (input.name, .map(entries))
    }
  }

  /// Returns the known value of an input, unless it contains a secret.
  private func defaultValue(of input: ImportedScenario.Input) -> YAMLText.Node? {
    guard let value = input.defaultValue, hider.text(ImportedText(value)).literal != nil else {
      return nil
    }
    // Text around `${{` has no other meaning in a default.
    if value.contains("${{") { return nil }
    let json = input.type == "any" ? try? JSONParser.parse(Array(value.utf8)[...]) : nil
    guard let json, json.isWritable() else { return .text(ImportedText(value).template) }
    return YAMLText.Node(ImportedValue(json))
  }

  private func node(_ component: Component) -> YAMLText.Node {
    var with: [Entry] = []
    let settings = component.settings
    if let base = base ?? settings.server {
      with.append(("base", .text(hider.text(base).template)))
    }
    if !settings.follow { with.append(("follow", .raw("false"))) }
    if settings.insecure { with.append(("insecure", .raw("true"))) }
    if let most = settings.mostRedirects { with.append(("max_redirects", .raw("\(most)"))) }
    if let most = settings.mostBytes { with.append(("max_bytes", .raw("\(most)"))) }
    if !settings.decompress { with.append(("decompress", .raw("false"))) }
    if let authentication = settings.authentication {
      with.append(("auth", YAMLText.Node(hider.value(authentication))))
    }
    with += settings.complete.map { ($0.name, .text(hider.text($0.value).template)) }
    if !component.headers.isEmpty { with.append(("headers", named(component.headers))) }
    var entries: [Entry] = [("plugin", .raw("http"))]
    if scenario.isLive { entries.append(("live", .raw("true"))) }
    return .map(with.isEmpty ? entries : entries + [("with", .map(with))])
  }

  // MARK: - Addresses

  /// Returns the common server of all requests, or nil.
  ///
  /// It may read only inputs.
  private static func base(of requests: [ImportedRequest]) -> ImportedText? {
    var base: ImportedText?
    for request in requests {
      guard let server = parts(of: request.url)?.server, base == nil || base == server else {
        return nil
      }
      base = server
    }
    return base
  }

  /// Returns an address as server and path, or nil if their border is unknown.
  static func parts(
    of url: ImportedText
  ) -> (server: ImportedText, path: ImportedText)? {
    var server = ImportedText()
    var rest = url
    if let range = url.beginning.firstRange(of: "://") {
      let scheme = String(url.beginning[..<range.upperBound])
      server.append(scheme)
      rest = url.dropFirst(scheme.utf8.count)
    } else if !url.beginning.isEmpty {
      return nil
    }
    var (host, path, query) = (rest, ImportedText(), ImportedText())
    if let (before, after) = rest.split(at: ["?"]) {
      (host, query) = (before, ImportedText("?") + after)
    }
    if let (before, after) = host.split(at: ["/"]) { (host, path) = (before, after) }
    let isFixed = host.pieces.allSatisfy { piece in
      guard case .literal(let text) = piece else { return true }
      return !text.hasSuffix(":") && !text.contains { "#@[] ".contains($0) }
    }
    guard isFixed, readsInputsAlone(host), !host.isEmpty, !path.beginning.hasPrefix("/") else {
      return nil
    }
    return (server + host, path + query)
  }

  private func address(of request: ImportedRequest) -> Entry? {
    let url = hider.text(request.url)
    guard base ?? request.settings.server != nil, let path = Self.parts(of: url)?.path else {
      return ("url", text(url))
    }
    return path.isEmpty ? nil : ("path", text(path))
  }

  // MARK: - Steps

  private typealias Step = (comments: [String], element: YAMLText.Node)

  /// Returns the steps of a request, in a loop for a repeated one.
  ///
  /// After a loop, its variables have the values of the last iteration.
  private func allSteps(of request: ImportedRequest) -> [Step] {
    let steps = steps(of: request)
    guard let (count, id) = request.repetition else { return steps }
    let list: YAMLText.Node =
      count <= 10
      ? .list((1...count).map { .raw("\($0)") })
      : .text(ImportedText(expression: "lists.range(\(count))").template)
    let names = request.captures.map(\.name).unique
    var loop: [Entry] = names.isEmpty ? [] : [("id", .raw(id))]
    loop += [("for", .raw("repetition")), ("in", list), ("do", .lines(steps))]
    if names.isEmpty { return [([], .block(loop))] }
    func values(_ code: (String) -> String) -> YAMLText.Node {
      .map(names.map { ($0, .text(ImportedText(expression: code($0)).template)) })
    }
    loop.append(("outputs", values { $0 }))
    let last = values { "steps.\(id).\($0).last().value()" }
    return [([], .block(loop)), ([], .block([("set", last)]))]
  }

  private func steps(of request: ImportedRequest) -> [Step] {
    var steps: [Step] = []
    for preparation in request.preparations {
      steps.append(([], .block(preparationCall(preparation))))
    }
    if !request.delay.isEmpty { steps.append(([], .block([("wait", .raw(request.delay))]))) }
    steps.append((comments(request.stepRemarks), .block(call(request))))
    let sets = request.captures.map { capture -> Step in
      let value = YAMLText.Node.text(
        ImportedText(expression: hider.code(capture.code)).template)
      return (comments(capture.remarks), .block([("set", .map([(capture.name, value)]))]))
    }
    // What is tried again is judged by its `expect`.
    var conditions = request.retry == nil ? request.conditions[...] : []
    for (index, set) in sets.enumerated() {
      if request.keepsOrder {
        let before = conditions.prefix { $0.setsBefore <= index }
        steps += assertion(before)
        conditions = conditions.dropFirst(before.count)
      }
      steps.append(set)
    }
    return steps + assertion(conditions)
  }

  /// Returns the step for some conditions, none for none.
  private func assertion(_ conditions: ArraySlice<ImportedRequest.Condition>) -> [Step] {
    if conditions.isEmpty { return [] }
    let lines = conditions.map { condition in
      let code = ImportedText(expression: hider.code(condition.code))
      return (comments(condition.remarks), YAMLText.Node.text(code.template))
    }
    return [([], .block([("assert", .lines(lines))]))]
  }

  /// Returns comments without known secrets.
  private func comments(_ comments: [String]) -> [String] {
    comments.map { comment in
      hider.text(ImportedText(comment)).mapExpressions { _ in ImportedText("…") }.literal ?? ""
    }
  }

  private func preparationCall(_ preparation: ImportedRequest.Preparation) -> [Entry] {
    let id: Entry = ("id", .raw(preparation.id))
    switch preparation.kind {
    case .uuid: return [id, ("uses", .raw("random.uuid"))]
    case .draw(let plugin, let operation, let fields):
      let with = fields.map { (key: $0.name, value: YAMLText.Node.raw($0.value)) }
      let call: [Entry] = [id, ("uses", .raw("\(plugin).\(operation)"))]
      return with.isEmpty ? call : call + [("with", .map(with))]
    case .check(let code):
      return [("assert", .text(ImportedText(expression: hider.code(code)).template))]
    case .set(let name, let code):
      let value = YAMLText.Node.text(ImportedText(expression: hider.code(code)).template)
      return [("set", .map([(name, value)]))]
    case .file(let path):
      let with: [Entry] = [("path", text(path)), ("as", .raw("bytes"))]
      return [id, ("uses", .raw("files.read")), ("with", .map(with))]
    }
  }

  private func call(_ request: ImportedRequest) -> [Entry] {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    var isBare = false
    if case .none = request.body { isBare = true }
    let isNamed =
      known.contains(request.method) && (isBare || !["GET", "HEAD"].contains(request.method))
    let component = indices[request.settings].map { components[$0].name } ?? "api"
    let operation = isNamed ? request.method.lowercased() : "request"
    var step: [Entry] = request.needsID ? [("id", .raw(hider.ids[request.id] ?? request.id))] : []
    if !request.name.isEmpty { step.append(("name", .text(hider.text(request.name).template))) }
    step.append(("uses", .raw("\(component).\(operation)")))
    let with = fields(request, method: isNamed ? nil : request.method)
    if !with.isEmpty { step.append(("with", .map(with))) }
    if !request.timeout.isEmpty { step.append(("timeout", .raw(request.timeout))) }
    if let retry = request.retry {
      var entries: [Entry] = [("attempts", .raw("\(retry.attempts)"))]
      if !retry.backoff.isEmpty { entries.append(("backoff", .raw(retry.backoff))) }
      step.append(("retry", .map(entries)))
    }
    if let expect = expectation(request) { step.append(("expect", expect)) }
    if !request.volatilePlaces.isEmpty {
      let places = request.volatilePlaces.map { YAMLText.Node.text(ImportedText($0).template) }
      step.append(("volatile", .list(places)))
    }
    if !request.secretPlaces.isEmpty {
      step.append(("secret", .list(request.secretPlaces.map { .text(ImportedText($0).template) })))
    }
    return step
  }

  private func fields(_ request: ImportedRequest, method: String?) -> [Entry] {
    var with: [Entry] = method.map { [("method", .text(ImportedText($0).template))] } ?? []
    if let address = address(of: request) { with.append(address) }
    if !request.query.isEmpty { with.append(("query", named(request.query))) }
    if let headers = headers(request) { with.append(("headers", headers)) }
    switch request.body {
    case .none: break
    case .json(.null): with.append(("body", .text("null")))
    case .json(let value): with.append(("json", YAMLText.Node(hider.value(value))))
    case .form(let fields): with.append(("form", named(fields)))
    case .text(let text): with.append(("body", .text(hider.text(text).template)))
    case .file(let path): with.append(("file", text(path)))
    case .bytes(let bytes):
      let code = "base64.decode('\(Base64.encode(bytes))')"
      with.append(("bytes", .text(ImportedText(expression: code).template)))
    case .multipart(let parts): with.append(("multipart", .list(parts.map(part))))
    }
    if let authentication = request.authentication {
      with.append(("auth", YAMLText.Node(hider.value(authentication))))
    }
    if let output = request.output {
      with.append(("to", .text(hider.text(ImportedText(output)).template)))
    }
    if request.keepsPath { with.append(("path_as_is", .raw("true"))) }
    return with
  }

  private func headers(_ request: ImportedRequest) -> YAMLText.Node? {
    let headers = request.headers + impliedHeaders(request)
    let given = ImportedValue(fields: headers.map { ($0.name, hider.text($0.value.asText)) })
    let absent = request.absentHeaders.filter { request.header($0) == nil }.unique
    guard case .map(let entries) = given, !entries.isEmpty || !absent.isEmpty else { return nil }
    return YAMLText.Node(.map(entries + absent.map { .init(name: $0, value: .null) }))
  }

  /// Returns the content type header of a JSON `null`, which is written as text.
  private func impliedHeaders(
    _ request: ImportedRequest
  ) -> [(name: String, value: ImportedText)] {
    guard case .json(.null) = request.body, request.header("content-type") == nil else { return [] }
    return [("content-type", ImportedText("application/json"))]
  }

  private func named(_ fields: [(name: String, value: ImportedText)]) -> YAMLText.Node {
    YAMLText.Node(fields: fields.map { ($0.name, hider.text($0.value.asText)) })
  }

  /// Returns the node of a field that must be text, since an expression's value may be a number.
  private func text(_ text: ImportedText) -> YAMLText.Node {
    .text(hider.text(text.asText).template)
  }

  private func part(_ part: ImportedValue) -> YAMLText.Node {
    guard case .map(let entries) = part else { return YAMLText.Node(hider.value(part)) }
    return .map(
      entries.map { entry in
        guard case .text(let value) = entry.value else {
          return (entry.name, .init(hider.value(entry.value)))
        }
        return (entry.name, text(value))
      })
  }

  private func expectation(_ request: ImportedRequest) -> YAMLText.Node? {
    guard request.retry != nil, !request.conditions.isEmpty else {
      guard !request.expected.isEmpty else { return nil }
      let fields = request.expected.map { entry in
        let isExact = request.exact.contains(entry.name)
        let exact = ImportedText(expression: hider.code("it == \(entry.value.exactCode)"))
        return (
          entry.name,
          isExact ? .text(exact.template) : YAMLText.Node(hider.value(entry.value))
        )
      }
      return .map(fields)
    }
    // What is tried again is judged as a whole.
    let expected = request.expected.map { "it.\($0.name) == \($0.value.exactCode)" }
    let all = (expected + request.conditions.map(\.code)).map(hider.code)
    let joined = all.map { all.count > 1 && $0.isChoice ? "(\($0))" : $0 }
    return .text(ImportedText(expression: joined.joined(separator: " && ")).template)
  }
}

extension ImportedRequest.Preparation {
  /// The component of the call, or nil without a call.
  fileprivate var component: String? {
    switch kind {
    case .uuid: "random"
    case .file: "files"
    case .draw(let plugin, _, _): plugin
    case .set, .check: nil
    }
  }
}
