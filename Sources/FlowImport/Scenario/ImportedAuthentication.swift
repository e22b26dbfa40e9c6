internal import FlowSystem

/// Users, keys and certificates, as the settings of a component or `auth` of a step have them.
extension ImportedScenario {
  /// The user of an address or an option, with the password after a colon.
  struct User {
    var text: ImportedText
    /// True for a user in an address, who has no password unless the address contains one.
    var isInAddress = false
  }

  /// The way in which a user is shown to a server.
  enum Login {
    case basic
    case digest
    /// The signature of AWS, version 4.
    case signature(region: ImportedText, service: ImportedText)
  }

  /// Adds a user with a password, or a key with its secret, to a request.
  mutating func authenticate(
    _ user: User, by login: Login = .basic, of request: inout ImportedRequest, line: Int
  ) {
    let (name, password) = parts(of: user, line)
    switch login {
    case .basic: basic(name, password, of: &request)
    case .digest:
      request.identify("digest", [.text("user", name), .text("password", password)])
    case .signature(let region, let service):
      var entries: [ImportedValue.Entry] = [
        .text("region", region), .text("service", service), .text("access_key", name),
        .text("secret_key", password),
      ]
      let token = "x-amz-security-token"
      if let value = request.header(token) {
        entries.append(.text("session_token", value))
        request.removeHeader(token)
      }
      request.identify("sigv4", entries)
    }
  }

  /// Adds a key with its secret, by which requests to AWS are signed.
  ///
  /// The scope is `aws:amz:region:service` as in curl, and the host says the parts that it lacks.
  mutating func sign(
    _ scope: ImportedText, _ user: User, of request: inout ImportedRequest, line: Int
  ) {
    let parts = scope.components(separatedBy: ":")
    let provider = parts[0].literal?.lowercased()
    guard provider == "aws", parts.count < 2 || ["amz", ""].contains(parts[1].literal ?? "-")
    else { return leaveOut("a signature that is not of AWS", of: &request, line: line) }
    let host = Self.awsScope(ofHostIn: request.url)
    func part(_ index: Int, _ name: String) -> ImportedText {
      let given = parts.count > index ? parts[index] : ImportedText()
      return given.isEmpty ? host[name] ?? input(name) : given
    }
    let (region, service) = (part(2, "region"), part(3, "service"))
    guard [region, service].allSatisfy({ $0.literal?.isScopePart ?? true }) else {
      return leaveOut("a signature of this region or service", of: &request, line: line)
    }
    let login = Login.signature(region: region, service: service)
    authenticate(user, by: login, of: &request, line: line)
  }

  /// The region and the service that the host of an address names, as in
  /// `s3.eu-west-1.amazonaws.com`.
  static func awsScope(ofHostIn url: ImportedText) -> [String: ImportedText] {
    let address = url.beginning
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    let host = address[start...].prefix { !"/?#:".contains($0) }.lowercased()
    guard host.hasSuffix(".amazonaws.com") else { return [:] }
    let labels = host.dropLast(".amazonaws.com".count).split(separator: ".").map(String.init)
    guard let service = labels.first else { return [:] }
    let region = labels.count > 1 ? labels[labels.count - 1] : "us-east-1"
    return ["service": ImportedText(service), "region": ImportedText(region)]
  }

  private func basic(
    _ name: ImportedText, _ password: ImportedText, of request: inout ImportedRequest
  ) {
    guard name.isEmpty else {
      request.settings.authentication = nil
      request.settings.set("user", name)
      return request.settings.set("password", password)
    }
    // Some services want a token as the password of an empty user, whom no component can have.
    guard !password.isEmpty, request.header("authorization") == nil else { return }
    let both = ImportedText(":") + password
    request.addHeader(
      "authorization",
      ImportedText("Basic ") + ImportedText(expression: "base64.encode(bytes(\(both.code)))"))
  }

  /// Returns a user and the password, which is hidden.
  private mutating func parts(
    of user: User, _ line: Int
  ) -> (name: ImportedText, password: ImportedText) {
    let parts = user.text.split(at: [":"])
    if parts == nil, user.text.literal == nil { return partsOfBoth(user.text, line) }
    var (name, password) = parts ?? (user.text, ImportedText())
    if user.isInAddress { (name, password) = (name.percentDecoded, password.percentDecoded) }
    if name.isEmpty { return (name, hidden(password, of: "password", line: line)) }
    if password.isEmpty, parts == nil, !user.isInAddress {
      password = input("password")
      let input = password.code.dropFirst("inputs.".utf8.count)
      note(line, "the user has no password; it is read from the input '\(input)'")
    } else {
      // Without a password the user is the key.
      if password.isEmpty { name = hidden(name, of: "user", line: line) }
      password = hidden(password, of: "password", line: line)
    }
    return (name, password)
  }

  /// Returns the user and the password of a variable with both, as `name:password`.
  private mutating func partsOfBoth(
    _ variable: ImportedText, _ line: Int
  ) -> (name: ImportedText, password: ImportedText) {
    let both = hidden(variable, of: "user", line: line)
    let parts = (both.pieces.count == 1 ? both.code : "(\(both.code))") + ".split(':', 2)"
    return (ImportedText(expression: parts + "[0]"), ImportedText(expression: parts + "[1]"))
  }

  // MARK: - Proxies and certificates

  /// Sets a proxy with the user of its address, or with a user given beside it.
  mutating func setProxy(
    _ address: ImportedText, user given: ImportedText?, of request: inout ImportedRequest,
    line: Int
  ) {
    let isWhole = address.beginning.contains("://")
    let (server, user) = url(isWhole ? address : ImportedText("http://") + address, line: line)
    request.settings.set("proxy", server)
    guard let user = given.map({ User(text: $0) }) ?? user else { return }
    let (name, password) = parts(of: user, line)
    request.settings.set("proxy_user", name)
    request.settings.set("proxy_password", password)
  }

  /// Returns the file of `FILE` or `FILE:PASSWORD`, in whose name `\:` is a colon, and sets the
  /// password.
  mutating func certificateFile(
    _ value: ImportedText, of request: inout ImportedRequest, line: Int
  ) -> ImportedText {
    let marked = value.mapLiterals { ImportedText($0.replacing("\\:", with: "\0")) }
    let parts = marked.split(at: [":"])
    if let password = parts?.after, !password.isEmpty {
      setKeyPassword(password, of: &request, line: line)
    }
    return (parts?.before ?? marked).mapLiterals { ImportedText($0.replacing("\0", with: ":")) }
  }

  /// Sets the passphrase of a key.
  mutating func setKeyPassword(
    _ password: ImportedText, of request: inout ImportedRequest, line: Int
  ) {
    let name = "client_key_password"
    request.settings.set(name, hidden(password, of: name, line: line))
  }
}

extension ImportedValue.Entry {
  /// An entry with a text.
  static func text(_ name: String, _ value: ImportedText) -> Self {
    .init(name: name, value: .text(value.asText))
  }
}

extension String {
  /// True for a region or a service as signatures have it.
  var isScopePart: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }
}
