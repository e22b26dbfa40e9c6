internal import FlowCore
package import FlowOpenAPI
internal import FlowSystem

/// The service that a description is about, at an address, as scenarios have it.
package struct DescribedService: Sendable {
  /// The description.
  package let description: OpenAPIDescription
  /// The address that all requests are below.
  package let address: String
  /// The path of the description from the folder of the scenarios, or nil if these cannot read it.
  package let contract: String?
  /// The credentials with their inputs, none of which is missing.
  package let login: ServiceLogin

  /// Creates a service.
  package init(
    _ description: OpenAPIDescription, at address: String, contract: String?, login: ServiceLogin
  ) {
    (self.description, self.address) = (description, address)
    (self.contract, self.login) = (contract, login)
  }

  /// The scenario whose step opens the service for a search.
  package var text: String {
    head(named: "Calls of \(description.title)", checked: false)
      + "steps:\n  - uses: api.request\n    with: {method: GET, path: \"/\"}\n"
  }

  /// The scenario up to its steps.
  ///
  /// With `checked` it has a second component of this name, whose answers are held to the description.
  /// With `unique` it has an input of this text, which is to be different in each run.
  /// Without `plain` it has that one alone.
  func head(
    named name: String, plain: Bool = true, checked: Bool, unique: String? = nil
  ) -> String {
    var text = "flow: 1\nname: \(Self.quoted(name))\ninputs:\n"
    text += "  base: {type: string, default: \(Self.quoted(address))}\n"
    for input in login.inputs {
      text += "  \(input.name): {type: string\(input.isSecret ? ", secret: true" : "")}\n"
    }
    if let unique {
      text += "  \(Self.uniqueStart) \(Self.quoted(unique)), "
      text += "description: A text that no earlier run has had.}\n"
    }
    text += "components:\n" + (plain ? component("api", contract: nil) : "")
    if checked, let contract { text += component("checked", contract: contract) }
    return text
  }

  /// The start of the input's line.
  package static let uniqueStart = "unique: {type: string, default:"

  private func component(_ name: String, contract: String?) -> String {
    var settings = ["base: \"${{ inputs.base }}\"", "follow: false", "timeout: 10s"]
    if let contract {
      settings.append("contract: {file: \(Self.quoted(contract)), check: answers}")
    }
    settings += login.settings
    return "  \(name):\n    plugin: http\n    with:\n"
      + settings.map { "      \($0)\n" }.joined()
  }

  /// The path of a request, behind the address.
  func path(_ path: String, of operation: OpenAPIOperation) -> String {
    let rest = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return operation.path(path, below: rest.count > 3 ? "/" + rest[3] : "")
  }

  /// A text as a scenario writes it, without expressions.
  static func quoted(_ text: String) -> String {
    JSON.string(text.replacing("${{", with: "${{ '$' }}{{")).text
  }
}

/// The credentials of a service that were given, with the inputs that have their values.
package struct ServiceLogin: Sendable {
  /// An input of a scenario.
  package struct Input: Sendable, Hashable {
    /// The name.
    package let name: String
    /// True for a secret.
    package let isSecret: Bool
  }

  /// The inputs in the order of the description's schemes.
  package private(set) var inputs: [Input] = []
  /// The lines of the component's settings.
  private(set) var settings: [String] = []
  /// The kinds of credentials that were given.
  private(set) var kinds: Set<OpenAPICredential.Kind> = []
  /// The names of keys in the query, with their inputs.
  private(set) var queryKeys: [(name: String, input: String)] = []

  /// Chooses the credentials of a description whose secrets are given, beside other headers.
  package init(
    _ description: OpenAPIDescription, headers others: [(name: String, value: String)] = [],
    isGiven: (String) -> Bool
  ) {
    var headers = others.map {
      "\(DescribedService.quoted($0.name)): \(DescribedService.quoted($0.value))"
    }
    for credential in description.operations.flatMap(\.credentials).unique {
      guard let input = credential.kind.input, isGiven(input),
        kinds.insert(credential.kind).inserted
      else { continue }
      let value = "\"${{ inputs.\(input) }}\""
      switch credential.kind {
      case .bearer where !hasAuthorization, .client where !hasAuthorization:
        settings.append("bearer: \(value)")
      case .basic where !hasAuthorization:
        inputs.append(Input(name: "user", isSecret: false))
        settings += ["user: \"${{ inputs.user }}\"", "password: \(value)"]
      case .digest where !hasAuthorization:
        inputs.append(Input(name: "user", isSecret: false))
        settings.append("auth: {digest: {user: \"${{ inputs.user }}\", password: \(value)}}")
      case .key(.header, let name): headers.append("\(DescribedService.quoted(name)): \(value)")
      case .key(.cookie, let name): headers.append("Cookie: \"\(name)=${{ inputs.\(input) }}\"")
      case .key(.query, let name): queryKeys.append((name, input))
      default: continue
      }
      inputs.append(Input(name: input, isSecret: true))
    }
    if !headers.isEmpty { settings.append("headers: {\(headers.joined(separator: ", "))}") }
  }

  private var hasAuthorization: Bool {
    settings.contains { setting in
      ["auth:", "bearer:", "user:"].contains(where: setting.hasPrefix)
    }
  }
}

extension OpenAPICredential.Kind {
  /// The name of the secret input, or nil for a kind that is not supported.
  package var input: String? {
    switch self {
    case .bearer, .client: "bearer"
    case .basic, .digest: "password"
    case .key(.path, _), .certificate, .other: nil
    case .key(_, let name):
      String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
  }

  /// The header that has these credentials, or nil.
  var header: String? {
    switch self {
    case .bearer, .basic, .digest, .client: "Authorization"
    case .key(.header, let name): name
    case .key(.cookie, _): "Cookie"
    case .key, .certificate, .other: nil
    }
  }

  /// The text of the header with wrong credentials.
  var wrongHeader: String {
    switch self {
    case .bearer, .client: "Bearer wrong"
    // wrong:wrong
    case .basic: "Basic d3Jvbmc6d3Jvbmc="
    case .key(.cookie, let name): "\(name)=wrong"
    case .digest: "Digest wrong"
    case .key, .certificate, .other: "wrong"
    }
  }
}
