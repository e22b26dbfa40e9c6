internal import FlowCore
internal import FlowOpenAPI

/// Takes from a trial what its violation does not need: calls first, then members and parameters, after
/// it has looked for the simplest change.
struct TrialShrinker {
  private static let mostTries = 80

  private(set) var best: Trial
  private(set) var tries = 0
  private var waiting: [Trial] = []
  private var hasChanged = false

  init(_ trial: Trial) {
    best = trial
    waiting = Self.alternatives(of: trial) + Self.smaller(trial)
  }

  private static func alternatives(of trial: Trial) -> [Trial] {
    guard let (call, others) = trial.alternatives else { return [] }
    return others.map { other in
      var copy = trial
      copy.calls[call] = other
      copy.alternatives = nil
      return copy
    }
  }

  /// Returns the next trial, or nil if nothing can be removed.
  mutating func candidate() -> Trial? {
    while tries < Self.mostTries {
      if !waiting.isEmpty {
        tries += 1
        return waiting.removeFirst()
      }
      guard hasChanged else { return nil }
      hasChanged = false
      waiting = Self.smaller(best)
    }
    return nil
  }

  /// Takes note of a trial that broke the same rule.
  mutating func note(broken trial: Trial) {
    best = trial
    hasChanged = true
    // The others have what this one lacks.
    waiting = Self.smaller(best)
  }

  private static func smaller(_ trial: Trial) -> [Trial] {
    let fewer = trial.calls.indices.reversed().compactMap { trial.without($0) }
    let simpler = trial.calls.indices.flatMap { index in
      trial.calls[index].smaller.map { call in
        var copy = trial
        copy.calls[index] = call
        return copy
      }
    }
    return fewer + simpler
  }
}

extension DrawnCall {
  /// The calls without one optional part, which the description allows or forbids as it does this one:
  /// without another mistake.
  fileprivate var smaller: [DrawnCall] {
    let mistakes = mistakes
    let others = withoutArguments + withoutMembers
    return others.filter { $0.mistakes == mistakes }
  }

  private var withoutArguments: [DrawnCall] {
    arguments.indices.reversed().compactMap { index in
      let parameter = arguments[index].parameter
      guard !parameter.isRequired, !isChanged("\(parameter.place.rawValue) \(parameter.name)")
      else { return nil }
      var copy = self
      copy.arguments.remove(at: index)
      return copy
    }
  }

  private var withoutMembers: [DrawnCall] {
    guard case .value(let value, let mediaType) = body else { return [] }
    return value.members(levels: 3).compactMap { tokens in
      let place = BodyForm(mediaType).name + tokens.map { "/" + $0 }.joined()
      guard !isChanged(place) else { return nil }
      var copy = self
      copy.body = .value(value.replacing(tokens[...], by: nil), mediaType: mediaType)
      copy.bodyLinks.removeAll { $0.tokens.starts(with: tokens) }
      return copy
    }
  }

  /// True for the changed part, and for one around it.
  private func isChanged(_ place: String) -> Bool {
    guard let own = change?.place else { return false }
    return own == place || own.hasPrefix(place + "/")
  }
}

extension Value {
  /// The tokens of the members of its maps, the inner ones last.
  fileprivate func members(levels: Int) -> [[String]] {
    guard levels > 0, case .map(let map) = self else { return [] }
    return map.entries.flatMap { entry in
      let name = entry.key.interpolated
      return [[name]] + entry.value.members(levels: levels - 1).map { [name] + $0 }
    }
  }
}
