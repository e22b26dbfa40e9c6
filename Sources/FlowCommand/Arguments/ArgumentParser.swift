internal import FlowCore
internal import FlowSystem

/// The parsed arguments of a command.
struct ParsedArguments: Sendable, Equatable {
  var operands: [String] = []
  /// The options in the order given, with an empty value for an option without one.
  var options: [Given] = []
  /// The operands behind `--secret NAME`, which may be values of secrets.
  var suspects: [Suspect] = []

  struct Given: Sendable, Equatable {
    let name: String
    let value: String

    /// The name that `--secret NAME` gives without a file, or nil for `NAME=@FILE` and other
    /// options.
    fileprivate var nameOfSecret: String? {
      name == Option.secret.name && !value.contains("=") ? value : nil
    }
  }

  struct Suspect: Sendable, Equatable {
    let secret: String
    let operand: String
  }

  func has(_ name: String) -> Bool { options.contains { $0.name == name } }
  func values(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

  func only(_ name: String) throws(UsageError) -> String? {
    let values = values(name)
    if values.count > 1 { throw .repeated(option: name) }
    return values.first
  }

  /// Returns the value of an option that may be given once, converted by `read`.
  ///
  /// The error quotes `expected` as the description of a valid value.
  func only<Value>(
    _ name: String, _ expected: String, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = try only(name) else { return nil }
    if let value = read(text) { return value }
    throw .malformed(option: name, value: text, expected: expected)
  }

  /// Returns the value of an option with a few valid words.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String
  ) throws(UsageError) -> Choice? {
    try only(name, Choice.allCases.map(\.rawValue).alternatives) { Choice(rawValue: $0) }
  }

  /// Returns the value of an option with a whole number.
  func whole(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    try only(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range ~= $0 ? $0 : nil }
    }
  }
}

/// A parser for the arguments of a command, by its syntax.
struct ArgumentParser {
  let syntax: CommandSyntax

  /// Parses arguments with options at any place.
  ///
  /// Everything behind `--` is an operand.
  func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments()
    var rest = arguments[...]
    var secret: String?
    while let argument = rest.popFirst() {
      if argument == "--" {
        result.operands += rest
        break
      }
      if argument == "-h" {
        result.options.append(.init(name: "help", value: ""))
      } else if let option = repeated(argument) {
        result.options += option
      } else if argument.hasPrefix("-"), argument != "-" {
        result.options.append(try option(argument, &rest))
      } else {
        if let secret { result.suspects.append(.init(secret: secret, operand: argument)) }
        result.operands.append(argument)
      }
      let isOption = argument.hasPrefix("--")
      secret = isOption ? result.options.last?.nameOfSecret : nil
    }
    if !result.has("help") { try checkOperands(result) }
    return result
  }

  /// Returns an option without a value once for each repetition of its letter, as in `-vv`, or nil
  /// for other arguments.
  private func repeated(_ argument: String) -> [ParsedArguments.Given]? {
    guard argument.hasPrefix("-"), argument.count > 2 else { return nil }
    let option = syntax.options.first { option in
      guard case .none = option.value, let letter = option.letter else { return false }
      return argument.dropFirst().allSatisfy { String($0) == letter }
    }
    guard let option else { return nil }
    return Array(repeating: .init(name: option.name, value: ""), count: argument.count - 1)
  }

  private func option(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> ParsedArguments.Given {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let given = parts.count == 2 ? String(parts[1]) : nil
    guard let option = syntax.allOptions.first(where: { $0.isWritten(parts[0]) }) else {
      throw .unknownOption(String(parts[0]), known: syntax.allOptions.map { "--\($0.name)" })
    }
    switch option.value {
    case .none:
      guard given == nil else { throw .unwantedValue(option: option.name) }
      return .init(name: option.name, value: "")
    case .required(let placeholder):
      guard let value = given ?? rest.popFirst() else {
        throw .missingValue(option: option.name, placeholder: placeholder)
      }
      return .init(name: option.name, value: value)
    case .optional(let placeholder, let suffix):
      if given == "" { throw .missingValue(option: option.name, placeholder: placeholder) }
      let follows = suffix.flatMap { rest.first?.hasSuffix($0) } ?? false
      return .init(name: option.name, value: given ?? (follows ? rest.removeFirst() : ""))
    }
  }

  /// Returns the options given without their optional value, for an operand that may be this value:
  /// `--record out.txt` means `--record=out.txt`.
  private func options(for operand: String, in arguments: ParsedArguments) -> [String] {
    syntax.options.compactMap { option in
      guard case .optional = option.value, arguments.values(option.name) == [""] else { return nil }
      return "--\(option.name)=\(operand)"
    }
  }

  private func checkOperands(_ arguments: ParsedArguments) throws(UsageError) {
    do throws(UsageError) {
      try checkCount(arguments)
    } catch {
      // The superfluous operand may be the secret's value, so it must not be printed.
      if let suspect = arguments.suspects.first { throw .visibleSecret(suspect.secret) }
      throw error
    }
  }

  private func checkCount(_ arguments: ParsedArguments) throws(UsageError) {
    let operands = arguments.operands
    switch syntax.operands {
    case .none: if let first = operands.first { throw .unwantedOperand(first) }
    case .one(let name):
      if operands.isEmpty { throw .missingOperand(name) }
      if operands.count > 1 {
        throw .unwantedOperand(operands[1], near: options(for: operands[1], in: arguments))
      }
    case .upToOne: if operands.count > 1 { throw .unwantedOperand(operands[1]) }
    case .upToTwo: if operands.count > 2 { throw .unwantedOperand(operands[2]) }
    case .sequence(let names, _):
      if operands.count < names.count { throw .missingOperand(names[operands.count]) }
      if operands.count > names.count + 1 { throw .unwantedOperand(operands[names.count + 1]) }
    case .many(let name): if operands.isEmpty { throw .missingOperand(name) }
    case .any: break
    }
  }
}

extension [String] {
  /// The words as alternatives: `text, json or sarif`.
  var alternatives: String {
    guard let last, count > 1 else { return joined() }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
