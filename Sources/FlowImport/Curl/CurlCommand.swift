internal import FlowSystem

/// Reads commands of curl, as people copy them from browsers and manuals.
struct CurlCommand {
  var scenario: ImportedScenario
  /// What the script has set: `TOKEN=…`.
  private var variables: [String: ImportedText] = [:]
  var current: Transfer

  /// What curl's options have said of the requests up to `--next`.
  struct Transfer {
    var line: Int
    var urls: [(url: ImportedText, line: Int)] = []
    var outputs: [String] = []
    var method: String?
    var isHead = false
    var isGet = false
    var failsOnError = false
    var user: ImportedText?
    var data: [ImportedText] = []
    var dataFile: String?
    var isJSON = false
    var form: [ImportedValue] = []
    var query: [(name: String, value: ImportedText)] = []
    var upload: String?
    var backoff = ""
    /// Everything else; its address and method are set in the end.
    var request: ImportedRequest

    init(line: Int) {
      self.line = line
      request = ImportedRequest(line: line, method: "GET", url: ImportedText())
      request.settings.follow = false
    }
  }

  /// All requests of a script.
  ///
  /// - Throws: `ImportError` for a quote without an end, and where there is no command of curl.
  static func read(_ text: String) throws(ImportError) -> ImportedScenario {
    var scenario = ImportedScenario()
    var variables: [String: ImportedText] = [:]
    var isFound = false
    for command in try ShellWords.commands(of: text) {
      var reader = CurlCommand(
        scenario: scenario, variables: variables, line: command.words[0].line)
      isFound = try reader.read(command) || isFound
      (scenario, variables) = (reader.scenario, reader.variables)
    }
    guard isFound else {
      throw ImportError(line: 1, column: 1, message: "there is no command of curl")
    }
    return scenario
  }

  private init(scenario: ImportedScenario, variables: [String: ImportedText], line: Int) {
    self.scenario = scenario
    self.variables = variables
    current = Transfer(line: line)
  }

  // MARK: - Words

  /// Reads a command; false for one that is not curl's.
  private mutating func read(_ command: ShellCommand) throws(ImportError) -> Bool {
    var words = command.words[...]
    while let word = words.first, assign(word) || isPrefix(word) { words.removeFirst() }
    guard let first = words.popFirst(), !Self.closing.contains(first.text.literal) else {
      return false
    }
    let name = first.text.literal?.split(separator: "/").last.map(String.init) ?? ""
    guard name == "curl" || name == "curl.exe" else {
      let shown = name.isEmpty ? "a command" : "the command '\(name.prefix(40))'"
      scenario.note(first.line, "\(shown) is not carried over")
      return false
    }
    current = Transfer(line: first.line)
    for remark in command.remarks { leaveOut(remark.what, remark.line) }
    try options(words)
    try finish()
    return true
  }

  /// Whether a command stands behind a word; of what decides whether it is run, a note says that it is left out.
  private mutating func isPrefix(_ word: ShellCommand.Word) -> Bool {
    let text = word.text.literal
    if Self.prefixes.contains(text) { return true }
    guard Self.openings.contains(text) else { return false }
    scenario.note(
      word.line, "'\(text ?? "")' is not carried over: what stands behind it is a step all the same"
    )
    return true
  }

  private static let prefixes: Set<String?> = [
    "$", "%", "#", ">", "sudo", "time", "env", "exec", "command", "\\", "{", "(",
  ]
  private static let openings: Set<String?> = [
    "if", "then", "elif", "else", "while", "until", "do", "!",
  ]
  private static let closing: Set<String?> = ["fi", "done", "esac", "}", ")"]

  /// Takes `NAME=value` in front of a command.
  private mutating func assign(_ word: ShellCommand.Word) -> Bool {
    guard let (name, value) = word.text.split(at: ["="]), let name = name.literal, name.isName
    else { return false }
    variables[name] = scenario.value(resolved(value, word.line), of: name, line: word.line)
    return true
  }

  private mutating func resolved(_ text: ImportedText, _ line: Int) -> ImportedText {
    text.mapExpressions { code in
      let name = String(code.dropFirst())
      if name.isEmpty {
        scenario.note(line, "the output of a command is the input 'output'")
        return scenario.input("output")
      }
      if let value = variables[name] { return value }
      return scenario.input(name)
    }
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
    let name = String(text.beginning.dropFirst(2))
    guard CurlOptions.valued.contains(name) else {
      try flag(name, line)
      return
    }
    try option(name, value(of: "--\(name)", line, &rest), line)
  }

  /// Takes letters, of which the last may have its value joined: `-sSLXPOST`.
  private mutating func short(
    _ text: ImportedText, _ line: Int, _ rest: inout ArraySlice<ShellCommand.Word>
  ) throws(ImportError) {
    var letters = text.mapLiterals { ImportedText($0) }.beginning.dropFirst()
    while let letter = letters.popFirst() {
      guard let name = CurlOptions.letters[letter] else {
        leaveOut("the unknown option '-\(letter)'", line)
        return
      }
      guard CurlOptions.valued.contains(name) else {
        try flag(name, line)
        continue
      }
      var isFirst = true
      let joined = text.mapLiterals { literal in
        defer { isFirst = false }
        return ImportedText(isFirst ? String(letters) : literal)
      }
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

  mutating func leaveOut(_ what: String, _ line: Int) {
    scenario.leaveOut(what, of: &current.request, line: line)
  }

  // MARK: - Options

  private mutating func flag(_ name: String, _ line: Int) throws(ImportError) {
    switch name {
    case "next":
      try finish()
      current = Transfer(line: line)
    case "get": current.isGet = true
    case "head": current.isHead = true
    case "location", "location-trusted", "follow": current.request.settings.follow = true
    case "insecure": current.request.settings.insecure = true
    case "fail", "fail-with-body": current.failsOnError = true
    case "remote-name", "remote-name-all": current.outputs.append("")
    default: if !CurlOptions.silent.contains(name) { leaveOut("the option '--\(name)'", line) }
    }
  }

  private mutating func option(
    _ name: String, _ value: ImportedText, _ line: Int
  ) throws(ImportError) {
    switch name {
    case "url": current.urls.append((value, line))
    case "request": current.method = value.literal ?? "GET"
    case "header": header(value, line)
    case "user": current.user = value
    case "oauth2-bearer":
      add("authorization", ImportedText("Bearer ") + value, line)
    case "cookie":
      if value.split(at: ["="]) != nil {
        add("cookie", value, line)
      } else {
        leaveOut("the file of cookies", line)
      }
    case "cookie-jar":
      leaveOut("the file for cookies, which a component remembers by itself,", line)
    case "user-agent": add("user-agent", value, line)
    case "referer": add("referer", value.split(at: [";"])?.before ?? value, line)
    case "range": add("range", ImportedText("bytes=") + value, line)
    case "output": current.outputs.append(path(value, line))
    case "upload-file": current.upload = path(value, line)
    case "form", "form-string": part(value, isPlain: name == "form-string", line)
    case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json", "url-query":
      data(name, value, line)
    default: setting(name, value, line)
    }
  }

  private mutating func setting(_ name: String, _ value: ImportedText, _ line: Int) {
    let seconds = value.literal.flatMap(Self.duration)
    switch name {
    case "cacert": current.request.settings.set("ca_file", ImportedText(path(value, line)))
    case "cert": current.request.settings.set("client_cert", ImportedText(path(value, line)))
    case "key": current.request.settings.set("client_key", ImportedText(path(value, line)))
    case "proxy":
      let (address, user) = scenario.url(value, line: line)
      if user != nil { leaveOut("the user of the proxy", line) }
      let isWhole = address.beginning.contains("://")
      current.request.settings.set("proxy", isWhole ? address : ImportedText("http://") + address)
    case "connect-timeout" where seconds != nil:
      current.request.settings.set("connect_timeout", ImportedText(seconds ?? ""))
    case "max-time" where seconds != nil: current.request.timeout = seconds ?? ""
    case "retry":
      current.request.retry = (max(1, min(100, Int(value.literal ?? "") ?? 1) + 1), "")
    case "retry-delay": current.backoff = seconds ?? ""
    default: if !CurlOptions.silent.contains(name) { leaveOut("the option '--\(name)'", line) }
    }
  }

  /// Seconds as a duration: `2.5` is `2.5s`.
  private static func duration(_ text: String) -> String? {
    let isNumber =
      !text.isEmpty && text.utf8.count < 9 && text.utf8.first != 0x2E
      && text.utf8.last != 0x2E && text.utf8.filter { $0 == 0x2E }.count <= 1
      && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E }
      && text.contains { "1"..."9" ~= $0 }
    return isNumber ? text + "s" : nil
  }

  mutating func path(_ value: ImportedText, _ line: Int) -> String {
    let path = value.literal ?? "file"
    if value.literal == nil { leaveOut("a path with a variable in it", line) }
    if path == "-" || path == "." { leaveOut("a standard stream as a file", line) }
    return path.isEmpty ? "file" : path
  }

  // MARK: - Headers

  private mutating func add(_ name: String, _ value: ImportedText, _ line: Int) {
    current.request.addHeader(name, scenario.header(name, value, line: line))
  }

  private mutating func header(_ text: ImportedText, _ line: Int) {
    if text.beginning.hasPrefix("@") { return leaveOut("a file of headers", line) }
    guard let (name, rest) = text.split(at: [":", ";"]), let name = name.literal?.trimmed,
      !name.isEmpty
    else { return leaveOut("a header without a name", line) }
    let isEmpty = text.beginning.hasSuffix(";") && rest.isEmpty
    var isFirst = true
    let value = rest.mapLiterals { literal in
      defer { isFirst = false }
      return ImportedText(isFirst ? String(literal.drop { $0 == " " }) : literal)
    }
    if value.isEmpty, !isEmpty { return leaveOut("the removal of the header '\(name)'", line) }
    add(name, value, line)
  }

  // MARK: - Requests

  private mutating func finish() throws(ImportError) {
    if current.urls.isEmpty {
      return scenario.note(current.line, "a command without an address is not carried over")
    }
    var outputs = current.outputs[...]
    for (url, line) in current.urls {
      let scheme = url.beginning.split(separator: ":").first.map { $0.lowercased() } ?? ""
      guard !url.beginning.contains("://") || scheme == "http" || scheme == "https" else {
        scenario.note(line, "an address of '\(scheme.prefix(20)):' is not carried over")
        continue
      }
      var request = current.request
      request.line = line
      request.output = outputs.popFirst()
      try address(url, &request, line)
      request.id = scenario.newID(of: request)
      try scenario.append(request)
    }
  }

  private mutating func address(
    _ text: ImportedText, _ request: inout ImportedRequest, _ line: Int
  ) throws(ImportError) {
    let isWhole = text.beginning.contains("://") || text.beginning.isEmpty
    let (url, user) = scenario.url(isWhole ? text : ImportedText("http://") + text, line: line)
    request.url = url.split(at: ["#"])?.before ?? url
    if let user = current.user ?? user { scenario.authenticate(user, of: &request, line: line) }
    if text.beginning.contains(where: "{[".contains), !text.beginning.contains("[::") {
      scenario.leaveOut("the pattern of several addresses", of: &request, line: line)
    }
    request.query = current.query
    if let backoff = request.retry.map({ _ in current.backoff }) {
      request.retry?.backoff = backoff
    }
    body(of: &request, line)
    if current.failsOnError {
      request.expect("status", .text(ImportedText(expression: "it < 400")))
    }
    if let output = request.output, output.isEmpty {
      let path = request.url.beginning.prefix { $0 != "?" }.split(separator: "/").dropFirst(2)
      request.output = path.last.map(String.init) ?? "index.html"
    }
  }
}
