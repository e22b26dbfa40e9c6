package import FlowCore

/// The messages about inputs, and about what a run may reach.
extension Problem {
  /// `component` is in words: `'api' (plugin http)`.
  package static func denied(_ component: String, _ reach: Reach, by owner: String) -> Self {
    Self(.deniedReach, "\(component) \(reach.phrase), which \(owner) forbids")
  }

  /// A note about a component that network limits do not affect.
  package static func unlimitedNote(_ component: String, by owner: String) -> String {
    "\(component) starts programs, which may reach the network despite \(owner); "
      + "--deny process forbids them"
  }

  package static func unknownInput(_ name: String, among known: [String]) -> Self {
    unknown(
      .unknownInput, "the scenario has no input '\(name)'", name, among: known,
      listedAs: "inputs")
  }

  package static func missingInput(_ name: String, type: ValueType) -> Self {
    Self(.missingInput, "the input '\(name)' is missing, expected \(type)")
  }

  package static func inputValue(_ name: String, _ misfit: Misfit) -> Self {
    let path = misfit.path.inside(.field(name))
    let notes = misfit.limitNote.map { [$0] } ?? misfit.expected.notes(on: "")
    return Self(
      .malformedInput,
      "the input '\(path)': expected \(misfit.expected), got \(misfit.actual)",
      notes: misfit.near.isEmpty ? notes : [], near: misfit.near
    ).comparing(misfit.expected, misfit.actual)
  }

  package static func missingSecret(_ name: String) -> Self {
    Self(.missingInput, "the secret input '\(name)' is missing", notes: [SecretError.advice(name)])
  }

  package static func shortSecret(_ name: String) -> Self {
    Self(.secretTooShort, "\(SecretError.tooShort(name))")
  }

  package static func redactedInput(_ name: String) -> Self {
    Self(
      .hiddenInput,
      "the value of the input '\(name)' is unknown: part of it was hidden in the recording",
      notes: ["pass it to 'flow test' or 'flow run' with --input \(name)=... or --inputs FILE"])
  }

  package static let durationNote = "a duration needs a unit: 200ms, 5s, 1m30s, 2h"
  package static let timestampNote =
    "a timestamp needs a date, a time and a zone: 2026-01-31T12:00:00Z"

  /// Creates the problem of an unknown name, with the nearest known ones.
  ///
  /// If none is near and the note has a title, the note lists all of them.
  package static func unknown(
    _ code: DiagnosticCode, _ message: String, _ name: String, among known: [String],
    listedAs noun: String? = nil
  ) -> Self {
    let near = Suggestion.nearest(to: name, among: known)
    let notes = near.isEmpty ? noun.map { [list(known, $0)] } ?? [] : []
    return Self(code, message, notes: notes, near: near)
  }

  /// A list as in `fields: balance, date`, cut if very long, or a statement that there are none.
  package static func list(_ names: [String], _ noun: String) -> String {
    if names.isEmpty { return "it has no \(noun)" }
    let rest = names.count - mostListed
    return "\(noun): " + names.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let mostListed = 30
}

extension ValueType {
  /// Notes on the right form of a string.
  package func notes(on text: String) -> [String] {
    switch unwrapped {
    case .duration: Self.durations(near: text).isEmpty ? [Problem.durationNote] : []
    case .timestamp: [Problem.timestampNote]
    default: []
    }
  }

  /// Returns the possible durations for a string without a unit, or with the name of one.
  package static func durations(near text: String) -> [String] {
    let number = text.prefix { "0"..."9" ~= $0 || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let short = units[unit], Duration(flowText: number + short) != nil else { return [] }
    return [number + short]
  }

  private static let units: [String: String] = {
    let names = [
      "ms": ["ms", "msec", "milliseconds", "millisecond"],
      "s": ["", "s", "sec", "secs", "second", "seconds"],
      "m": ["m", "min", "mins", "minute", "minutes"], "h": ["h", "hour", "hours"],
      "d": ["d", "day", "days"],
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { short, long in
        long.map { ($0, short) }
      })
  }()
}
