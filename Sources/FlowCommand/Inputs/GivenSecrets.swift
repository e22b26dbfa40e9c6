internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// The secrets of a command, given by `--secret` and in the environment.
struct GivenSecrets: Sendable {
  private static let largest = 64 << 10

  private let process: ProcessEnvironment
  private var values: [String: String] = [:]

  init(_ process: ProcessEnvironment) { self.process = process }

  /// Reads the secrets in arguments, and hides them by `redactor`.
  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    self.init(process)
    if let suspect = arguments.suspects.first(where: { !FileSystem.exists($0.operand) }) {
      throw .visibleSecret(suspect.secret)
    }
    for text in arguments.values(Option.secret.name) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard Secrets.isName(name) else {
        // A word without '=' may be the secret itself, so it is not printed.
        throw .secret(
          parts.count == 1
            ? "a name has only letters, digits and '_'" : "\(SecretError.invalidName(name))")
      }
      if values[name] != nil { throw .repeated(option: "secret \(name)") }
      let value = parts.count == 2 ? try content(parts[1], name) : try variable(name)
      if parts.count == 1 { redactor.note(variable: name) }
      do throws(SecretError) { try redactor.add(value, named: name) } catch {
        throw .secret("\(error)")
      }
      values[name] = value
    }
  }

  private func content(_ place: Substring, _ name: String) throws(UsageError) -> String {
    guard place.first == "@" else { throw .visibleSecret(name) }
    let path = String(place.dropFirst())
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: path, limit: Self.largest, allowsPipe: true) } catch {
      throw .secret("the secret '\(name)': \(error)")
    }
    var text: String
    do { text = try PlainText.text(of: bytes) } catch {
      let reason = error.encoding.map { "in \($0), not UTF-8" } ?? "not text"
      throw .secret("the secret '\(name)': '\(path)' is \(reason)")
    }
    // The newline at the end comes from an editor and is not part of the secret.
    if text.last == "\n" || text.last == "\r\n" { text.removeLast() }
    if text.isEmpty { throw .secret("the secret '\(name)': '\(path)' is empty") }
    return text
  }

  private func variable(_ name: String) throws(UsageError) -> String {
    if let value = process.variable(name) { return value }
    throw .secret("the secret '\(name)': the environment has no variable '\(name)'")
  }

  /// The names of the secrets of `--secret`, in order.
  var names: [String] { values.keys.sorted() }

  /// Returns the secret of a name, or nil if it is not given or empty.
  func value(_ name: String) -> String? {
    let value = values[name] ?? process.variable(Secrets.variable(of: name))
    return value?.isEmpty ?? true ? nil : value
  }

  /// Returns the inputs of a plan as text, including secret ones not given as inputs.
  func inputs(
    _ given: [(name: String, text: String)], of plan: Plan
  ) throws(UsageError) -> [(name: String, text: String)] {
    var result = given
    for input in plan.inputs where input.isSecret {
      if given.contains(where: { $0.name == input.name }) {
        guard values[input.name] == nil else {
          throw .conflict(option: "input \(input.name)", with: "secret \(input.name)")
        }
      } else if let value = value(input.name) {
        result.append((input.name, value))
      } else if input.defaultValue == nil {
        try checkSpelling(of: input.name, plan)
      }
    }
    return result
  }

  /// Throws an error if a missing secret was given under a similar name.
  ///
  /// Components may ask for secrets of any name, so an unused secret alone is no error.
  private func checkSpelling(of missing: String, _ plan: Plan) throws(UsageError) {
    let others = values.keys.filter { name in !plan.inputs.contains { $0.name == name } }.sorted()
    for name in others where !Suggestion.nearest(to: name, among: [missing]).isEmpty {
      throw .unknownSecret(name, near: [missing])
    }
  }
}
