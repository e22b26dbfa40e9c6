internal import FlowCore
internal import FlowSystem

extension Transcript {
  /// This recording with the scopes of a later one in place of its own, or nil if that has none.
  ///
  /// A scope that began in the later run is of that run, all others are the old ones, and so are the
  /// inputs and the steps, if these are the same: the later run may be one of a few tests. The settings
  /// of components are those of the later run.
  func replacingScopes(by now: Transcript) -> Transcript? {
    let (own, new) = (ScopedLines(lines), ScopedLines(now.lines))
    guard !new.scopes.isEmpty else { return nil }
    var copy = own.hasSteps(of: new) ? with(own.replacing(new)) : now.with(new.adding(own))
    let inputs = own.hasSteps(of: new) ? header.inputs : now.header.inputs
    (copy.header, copy.header.inputs) = (now.header, inputs)
    return copy
  }
}

/// The lines of a recording, with those of each scope apart.
private struct ScopedLines {
  /// The lines of components that are opened.
  private var openings: [TranscriptLine] = []
  /// The lines of steps.
  private var steps: [TranscriptLine] = []
  /// The lines of tasks outside of scopes, by their addresses.
  private var tasks: [String: [TranscriptLine]] = [:]
  /// The lines of scopes, by the name of the scope and then by its address.
  private(set) var scopes: [String: [String: [TranscriptLine]]] = [:]
  private var end: [TranscriptLine] = []

  init(_ lines: [TranscriptLine]) {
    for line in lines {
      guard let address = Address(line.at), let task = address.task else {
        if case .end = line.kind {
          end.append(line)
        } else if line.at.hasPrefix("components/") {
          openings.append(line)
        } else {
          steps.append(line)
        }
        continue
      }
      if let scope = address.calls.first(where: \.isTest) {
        scopes[scope.name, default: [:]]["\(task)", default: []].append(line)
      } else {
        tasks["\(task)", default: []].append(line)
      }
    }
  }

  /// Returns true if another recording has the same steps, whatever they ask.
  func hasSteps(of other: ScopedLines) -> Bool { steps.map(\.at) == other.steps.map(\.at) }

  /// All lines, with the openings and the scopes of another recording in place of these.
  func replacing(_ other: ScopedLines) -> [TranscriptLine] {
    other.openings + steps + ordered(tasks, scopes.merging(other.scopes) { $1 }) + end
  }

  /// All lines, with the scopes of another recording that are not among these.
  func adding(_ other: ScopedLines) -> [TranscriptLine] {
    openings + steps + ordered(tasks, other.scopes.merging(scopes) { $1 }) + end
  }

  private func ordered(
    _ tasks: [String: [TranscriptLine]], _ scopes: [String: [String: [TranscriptLine]]]
  ) -> [TranscriptLine] {
    let all = scopes.values.reduce(into: tasks) { $0.merge($1) { $1 } }
    return all.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}

extension Address {
  /// The address of the innermost task around a call, or nil outside of tasks.
  fileprivate var task: Address? {
    guard let last = calls.last else { return nil }
    return last.isLane ? self : caller?.task
  }
}
