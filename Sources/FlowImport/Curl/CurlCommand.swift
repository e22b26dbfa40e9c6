internal import FlowSystem

/// Reads commands of curl, as people copy them from browsers and manuals.
struct CurlCommand {
  var scenario: ImportedScenario
  /// The variables set by the script: `TOKEN=…`.
  private var variables: [String: ImportedText] = [:]
  var current: Transfer
  /// The number of uses of a command's output, by the names of its inputs.
  private var outputs: [String: Int] = [:]
  /// The standard input of the command, until an option takes it.
  private var input: ShellCommand.Input?

  /// The options of the requests up to `--next`.
  struct Transfer {
    var line: Int
    var urls: [(url: ImportedText, line: Int)] = []
    /// The files for the responses, each nil for a response not saved to a file.
    var outputs: [String?] = []
    var method: String?
    var isHead = false
    var isGet = false
    var isGlobbing = true
    var failsOnError = false
    var user: ImportedText?
    /// The way in which the user is shown to the server.
    var login = CurlLogin.basic
    var proxy: ImportedText?
    var proxyUser: ImportedText?
    var certificate: ImportedText?
    var isPKCS12 = false
    /// The servers in the place of others, with their options.
    var routes: [(route: ImportedRoute, option: String, line: Int)] = []
    /// The headers with their own options, by their names.
    var implied: [String: ImportedText] = [:]
    /// True with any data, even data that cannot be imported.
    var sendsData = false
    var data: [ImportedText] = []
    var dataFile: String?
    var isJSON = false
    var form: [ImportedValue] = []
    var query: [(name: String, value: ImportedText)] = []
    var isUpload = false
    var upload: String?
    /// The text uploaded from standard input.
    var uploadText: ImportedText?
    var backoff = ""
    /// The other parts.
    ///
    /// The URL and the method are set in the end.
    var request: ImportedRequest

    init(line: Int) {
      self.line = line
      request = ImportedRequest(line: line, method: "GET", url: ImportedText())
      request.settings.follow = false
    }
  }

  /// Reads all requests of a script.
  ///
  /// - Throws: `ImportError` for a quote without an end, and for a script without a curl command.
  static func read(_ text: String) throws(ImportError) -> ImportedScenario {
    var reader = CurlCommand(scenario: ImportedScenario(), current: Transfer(line: 1))
    var isFound = false
    let script = CommandPrompt.isWritten(text) ? CommandPrompt.script(of: text) : text
    for command in try ShellWords.commands(of: script) {
      isFound = try reader.read(command) || isFound
    }
    guard isFound else {
      throw ImportError(line: 1, column: 1, message: "no curl command found")
    }
    return reader.scenario
  }

  // MARK: - Words

  /// Reads a command.
  ///
  /// Returns false for a command other than curl.
  private mutating func read(_ command: ShellCommand) throws(ImportError) -> Bool {
    var words = command.words[...]
    skipPrefixes(of: &words)
    guard let first = words.popFirst() else {
      for remark in command.remarks {
        scenario.note(remark.line, "\(remark.what) is not supported")
      }
      return false
    }
    if Self.closing.contains(first.text.literal) { return false }
    let name = first.text.literal?.split(separator: "/").last.map(String.init) ?? ""
    guard name == "curl" || name == "curl.exe" else {
      let shown = name.isEmpty ? "a command" : "the command '\(name.prefix(40))'"
      scenario.note(first.line, "\(shown) is not supported")
      return false
    }
    current = Transfer(line: first.line)
    for remark in command.remarks { leaveOut(remark.what, remark.line) }
    input = command.input
    try options(words)
    if let input { leaveOut(input.what, input.line) }
    input = nil
    try finish()
    return true
  }

  private static let closing: Set<String?> = ["fi", "done", "esac", "}", ")"]

  /// Takes `NAME=value` in front of a command.
  mutating func assign(_ word: ShellCommand.Word) -> Bool {
    guard let (name, value) = word.text.split(at: ["="]), let name = name.literal,
      name.drop(while: { $0 == "_" }).isName
    else { return false }
    let isOutput = value.pieces == [.expression("$")]
    variables[name] =
      isOutput
      ? output(name, word.line)
      : scenario.value(resolved(value, word.line), of: name, line: word.line)
    return true
  }

  private mutating func resolved(_ text: ImportedText, _ line: Int) -> ImportedText {
    text.mapExpressions { code in
      let name = String(code.dropFirst())
      return name.isEmpty ? output("output", line) : variables[name] ?? scenario.input(name)
    }
  }

  /// Returns a new input for the output of a command.
  private mutating func output(_ name: String, _ line: Int) -> ImportedText {
    let count = outputs[name, default: 0] + 1
    outputs[name] = count
    let input = scenario.input(count == 1 ? name : "\(name)_\(count)")
    let written = input.code.dropFirst("inputs.".utf8.count)
    scenario.note(line, "the output of a command is read from the input '\(written)'")
    return input
  }

  private mutating func options(
    _ words: ArraySlice<ShellCommand.Word>
  ) throws(ImportError) {
    var (rest, isOver) = (words, false)
    while let word = rest.popFirst() {
      let text = resolved(word.text, word.line)
      if !isOver, text.beginning == "--", text.literal != nil {
        isOver = true
      } else if !isOver, text.beginning.hasPrefix("--") {
        try long(text, word.line, &rest)
      } else if !isOver, text.beginning.hasPrefix("-"), text.literal != "-" {
        try short(text, word.line, &rest)
      } else {
        current.urls.append((text, word.line))
      }
    }
  }

  private mutating func long(
    _ text: ImportedText, _ line: Int, _ rest: inout ArraySlice<ShellCommand.Word>
  ) throws(ImportError) {
    let name = String(text.beginning.dropFirst(2).prefix { $0 != "=" })
    if text.beginning.contains("=") {
      // What follows may be a secret.
      return leaveOut("the option '--\(name.prefix(40))='", line)
    }
    guard CurlOptions.valued.contains(name) else {
      try flag(name, line)
      return
    }
    try option(name, value(of: "--\(name)", line, &rest), line)
  }

  /// Takes letters, the last possibly joined with its value: `-sSLXPOST`.
  private mutating func short(
    _ text: ImportedText, _ line: Int, _ rest: inout ArraySlice<ShellCommand.Word>
  ) throws(ImportError) {
    var letters = text.beginning.dropFirst()
    while let letter = letters.popFirst() {
      guard let name = CurlOptions.letters[letter] else {
        leaveOut("the unknown option '-\(letter)'", line)
        return
      }
      guard CurlOptions.valued.contains(name) else {
        try flag(name, line)
        continue
      }
      let joined = text.dropFirst(text.beginning.utf8.count - letters.utf8.count)
      try option(name, joined.isEmpty ? value(of: "-\(letter)", line, &rest) : joined, line)
      return
    }
  }

  private mutating func value(
    of option: String, _ line: Int, _ rest: inout ArraySlice<ShellCommand.Word>
  ) throws(ImportError) -> ImportedText {
    guard let word = rest.popFirst() else {
      throw ImportError(line: line, column: 1, message: "the option '\(option)' has no value")
    }
    return resolved(word.text, word.line)
  }

  /// Takes the text of standard input, which is available once.
  ///
  /// Nil if the script has none.
  mutating func takeInput() -> ImportedText? {
    guard let given = input else { return nil }
    input = nil
    return resolved(given.text, given.line)
  }

  mutating func leaveOut(_ what: String, _ line: Int) {
    scenario.leaveOut(what, of: &current.request, line: line)
  }

  // MARK: - Options

  /// Takes an option without a value, or its negation with `--no-`.
  private mutating func flag(_ written: String, _ line: Int) throws(ImportError) {
    let isOn = !written.hasPrefix("no-")
    let name = isOn ? written : String(written.dropFirst(3))
    switch name {
    case "next":
      try finish()
      current = Transfer(line: line)
    case "get": current.isGet = isOn
    case "head": current.isHead = isOn
    case "location", "location-trusted", "follow": current.request.settings.follow = isOn
    case "insecure": current.request.settings.insecure = isOn
    case "fail", "fail-with-body": current.failsOnError = isOn
    case "path-as-is": current.request.keepsPath = isOn
    case "basic", "digest", "ntlm", "negotiate": login(name, isOn, line)
    case "globoff": current.isGlobbing = !isOn
    case "remote-name", "remote-name-all": if isOn { current.outputs.append("") }
    default:
      if !CurlOptions.silent.contains(name) {
        leaveOut("the option '--\(written.prefix(40))'", line)
      }
    }
  }

  private mutating func login(_ name: String, _ isOn: Bool, _ line: Int) {
    if isOn, name == "ntlm" || name == "negotiate" { leaveOut("the option '--\(name)'", line) }
    switch name {
    case _ where !isOn: current.login = .basic
    case "basic": current.login = .basic
    case "digest": current.login = .digest
    default: current.login = .unknown
    }
  }

  private mutating func option(
    _ name: String, _ value: ImportedText, _ line: Int
  ) throws(ImportError) {
    switch name {
    case "url": current.urls.append((value, line))
    case "request":
      current.method = value.literal
      if value.literal == nil { leaveOut("a method with a variable in it", line) }
    case "header": header(value, line)
    case "user": current.user = value
    case "oauth2-bearer":
      current.implied["authorization"] = value.isEmpty ? value : ImportedText("Bearer ") + value
    case "cookie":
      if value.split(at: ["="]) != nil {
        add("cookie", value, line)
      } else {
        leaveOut("a file with cookies", line)
      }
    case "cookie-jar":
      scenario.note(line, "the component remembers cookies by itself, so '--cookie-jar' is ignored")
    case "user-agent": current.implied["user-agent"] = value
    case "referer": current.implied["referer"] = value.split(at: [";"])?.before ?? value
    case "range":
      current.implied["range"] = value.isEmpty ? value : ImportedText("bytes=") + value
    case "output":
      let isKept = !["-", "/dev/null"].contains(value.literal)
      current.outputs.append(isKept ? path(value, line) : nil)
    case "upload-file":
      current.isUpload = true
      if value.literal == "-", let text = takeInput() {
        current.uploadText = text
      } else {
        current.upload = path(value, line)
      }
    case "form", "form-string": part(value, isPlain: name == "form-string", line)
    case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json", "url-query":
      data(name, value, line)
    default: setting(name, value, line)
    }
  }

  private mutating func setting(_ name: String, _ value: ImportedText, _ line: Int) {
    let seconds = value.literal.flatMap(Self.duration)
    switch name {
    case "cacert": setFile("ca_file", value, line)
    case "cert": current.certificate = value
    case "cert-type" where value.literal.map { ["PEM", "P12"].contains($0.uppercased()) } ?? false:
      current.isPKCS12 = value.literal?.uppercased() == "P12"
    case "key": setFile("client_key", value, line)
    case "pass": scenario.setKeyPassword(value, of: &current.request, line: line)
    case "proxy": current.proxy = value
    case "proxy-user": current.proxyUser = value
    case "unix-socket": current.request.settings.set("unix_socket", value)
    case "aws-sigv4": current.login = .signature(value)
    case "resolve" where value.literal.flatMap(ImportedRoute.init(resolving:)) != nil,
      "connect-to" where value.literal.flatMap(ImportedRoute.init(connecting:)) != nil:
      let route = value.literal.flatMap {
        name == "resolve" ? ImportedRoute(resolving: $0) : ImportedRoute(connecting: $0)
      }
      if let route { current.routes.append((route, name, line)) }
    case "max-redirs" where value.literal.map { Int($0) != nil } ?? false:
      if let note = current.request.settings.limitRedirects(to: Int(value.literal ?? "") ?? 0) {
        scenario.note(line, note)
      }
    case "max-filesize" where value.literal.flatMap(Self.byteCount) != nil:
      current.request.settings.mostBytes = value.literal.flatMap(Self.byteCount)
    case "connect-timeout" where seconds != nil:
      current.request.settings.set("connect_timeout", ImportedText(seconds ?? ""))
    case "max-time" where seconds != nil: current.request.timeout = seconds ?? ""
    case "retry":
      let count = min(100, Int(value.literal ?? "") ?? 1)
      current.request.retry = count > 0 ? (count + 1, "") : nil
      if count > 0 {
        scenario.note(
          line, "curl retries timeouts and some statuses; the step is retried whenever it fails")
      }
    case "retry-delay": current.backoff = seconds ?? ""
    default: if !CurlOptions.silent.contains(name) { leaveOut("the option '--\(name)'", line) }
    }
  }

  mutating func setFile(_ name: String, _ value: ImportedText, _ line: Int) {
    if let path = path(value, line) { current.request.settings.set(name, ImportedText(path)) }
  }

  /// A number of bytes, also in units of 1024: `10`, `64K`, `1M`.
  private static func byteCount(_ text: String) -> Int? {
    let digits = text.prefix { "0"..."9" ~= $0 }
    let units = ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
    guard digits.utf8.count < 10, let count = Int(digits), count > 0,
      let unit = units[text.dropFirst(digits.count).lowercased()]
    else { return nil }
    return count * unit
  }

  /// Seconds as a duration: `2.5` is `2.5s`.
  private static func duration(_ text: String) -> String? {
    let isNumber =
      !text.isEmpty && text.utf8.count < 9 && text.utf8.first != 0x2E
      && text.utf8.last != 0x2E && text.utf8.filter { $0 == 0x2E }.count <= 1
      && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
      && text.contains { "1"..."9" ~= $0 }
    return isNumber ? text + "s" : nil
  }

  /// Returns a path as written, or nil for standard input and output.
  mutating func path(_ value: ImportedText, _ line: Int) -> String? {
    let path = value.literal ?? "file"
    if value.literal == nil { leaveOut("a path with a variable in it", line) }
    if path == "-" || path == "." {
      leaveOut("standard input or output as a file", line)
      return nil
    }
    if path.hasPrefix("/") || path.split(separator: "/").contains("..") {
      let what = "'\(path.onOneLine)' is outside the scenario's folder and must be moved into it"
      scenario.note(line, what)
      current.request.remarks.append("line \(line): \(what)")
    }
    return path.isEmpty ? "file" : path
  }

  // MARK: - Headers

  private mutating func add(_ name: String, _ value: ImportedText, _ line: Int) {
    scenario.addHeader(name, value, to: &current.request, line: line)
  }

  private mutating func header(_ text: ImportedText, _ line: Int) {
    if text.beginning.hasPrefix("@") { return leaveOut("a file of headers", line) }
    guard let (name, rest) = text.split(at: [":", ";"]), let name = name.literal?.trimmed,
      !name.isEmpty
    else { return leaveOut("a header without a name", line) }
    let isEmpty = text.beginning.hasSuffix(";") && rest.isEmpty
    let value = rest.trimmed
    if value.isEmpty, !isEmpty {
      guard name.isHeaderName else { return leaveOut("a header with an invalid name", line) }
      return current.request.absentHeaders.append(name.lowercased())
    }
    add(name, value, line)
  }
}
