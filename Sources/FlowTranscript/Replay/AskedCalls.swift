internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
private import Synchronization

/// Asks real components for what a transcript does not have, where it cannot matter that all before was served.
///
/// A component never saw the writes that were served. So it is asked only for reads, and only where nothing but reads
/// of it is recorded. One that is live itself has done all that it was called for, and is asked for anything.
final class AskedCalls: Sendable {
  private struct State {
    /// Why each component cannot be asked; nil for one that can.
    var refusals: [String: String?] = [:]
    var added = AddedCalls()
  }

  private let calls: CallList
  private let plan: Plan
  private let live: Live
  private let state = Mutex(State())

  /// The components that can be asked.
  struct Live: Sendable {
    /// Calls them.
    let caller: any Caller
    /// The names of those that answer all their calls themselves.
    let names: Set<String>
    /// The date of today.
    let date: Timestamp
  }

  /// The calls of a transcript, and the components that are asked for others.
  init(_ transcript: Transcript, of plan: Plan, _ live: Live) {
    calls = transcript.calls
    self.plan = plan
    self.live = live
  }

  /// The calls that were asked.
  var added: AddedCalls { state.withLock { $0.added } }

  /// Opens a component beside its recorded opening, if it may be asked later; `isKnown` says whether all of its settings
  /// are, as far as they may leave flow.
  func open(_ invocation: Invocation, isKnown: Bool) async throws {
    guard case .open = invocation.target, refusal(of: invocation) == nil else { return }
    guard isKnown else {
      let reason = "a part of the settings of '\(invocation.componentName)' is hidden"
      return state.withLock { $0.refusals[invocation.componentName] = .some(reason) }
    }
    guard case .error(let error) = try await live.caller.call(invocation) else { return }
    let reason = "'\(invocation.componentName)' could not be opened: \(error.message)"
    state.withLock { $0.refusals[invocation.componentName] = .some(reason) }
  }

  /// The answer of the component itself.
  ///
  /// - Throws: `Refusal` where it is not asked; what the caller throws.
  func answer(_ invocation: Invocation, _ redacted: Invocation) async throws -> Outcome {
    if let reason = refusal(of: invocation) { throw Refusal(reason: reason) }
    let version = invocation.plugin?.plugin.version ?? ""
    let outcome = try await live.caller.call(invocation)
    state.withLock {
      $0.added.note(
        redacted, AddedCall(date: live.date, source: "\(invocation.componentName) \(version)"))
    }
    return outcome
  }

  /// Why a component is not asked.
  struct Refusal: Error {
    let reason: String
  }

  /// Why a component cannot be asked for a call; nil where it can.
  private func refusal(of invocation: Invocation) -> String? {
    let name = invocation.componentName
    switch invocation.target {
    case .event: return "an event comes only where it was reported"
    case _ where live.names.contains(name): return nil
    case .open: break
    case .operation(let operation):
      if !operation.description.isReadOnly {
        return "'\(invocation.name)' is not declared to be read-only"
      }
    }
    if let known = state.withLock({ $0.refusals[name] }) { return known }
    let reason = refusal(ofComponent: name)
    state.withLock { $0.refusals[name] = .some(reason) }
    return reason
  }

  private func refusal(ofComponent name: String) -> String? {
    guard let component = plan.allComponents.first(where: { $0.name == name }) else {
      return "'\(name)' is the component of another scenario"
    }
    let operations = component.plugin.operations
    for call in calls.lazy where call.name.componentName == name {
      if !call.emitted.isEmpty { return "'\(name)' reports events by itself" }
      let isRead = operations.contains { call.name == "\(name).\($0.name)" && $0.isReadOnly }
      if call.name != name, !isRead {
        return "'\(call.name)' is recorded, and may have changed what it answers"
      }
    }
    return nil
  }
}

/// The calls that were added to a recording, by what they ask.
struct AddedCalls: Sendable {
  private var calls: [String: AddedCall] = [:]

  init() {}

  /// Those that a transcript says were added before.
  init(in transcript: Transcript) {
    for call in transcript.calls.lazy where call.inner.added != nil {
      calls[Self.key(call.address, call.input.json)] = call.inner.added
    }
  }

  var isEmpty: Bool { calls.isEmpty }

  mutating func note(_ invocation: Invocation, _ call: AddedCall) {
    calls[Self.key("\(invocation.address)", invocation.inputJSON)] = call
  }

  /// These, and others in their places.
  func merging(_ others: AddedCalls) -> AddedCalls {
    var copy = self
    copy.calls.merge(others.calls) { $1 }
    return copy
  }

  /// The line of a call, with what is said of its addition; nil where it was not added.
  private func marked(_ line: ArraySlice<UInt8>) -> JSON? {
    guard let json = try? JSONParser.parse(line),
      case .invoke(let address, let name, let input, var inner)? = TranscriptLine<JSON>(json),
      let call = calls[Self.key(address, input)]
    else { return nil }
    inner.added = call
    return TranscriptLine<JSON>.invoke(at: address, name: name, input: input, inner).json
  }

  /// A recording that says which of its calls were added.
  func marked(_ recording: InMemoryTranscript) -> InMemoryTranscript {
    if isEmpty { return recording }
    var (lines, writer) = (LineCursor(recording.bytes), JSONWriter())
    while let line = lines.next() {
      if let marked = marked(line) {
        writer.value(marked)
        writer.endLine()
      } else {
        writer.append(lines: Array(line) + [0x0A])
      }
    }
    var copy = recording
    copy.bytes = Seal.isThere(in: recording.bytes) ? Seal.sealed(writer.bytes) : writer.bytes
    return copy
  }

  /// What a call asks, without its number among those that ask the same and without the numbers of what is hidden.
  private static func key(_ address: String, _ input: JSON) -> String {
    let place = address.prefix(upTo: address.lastIndex(of: "#") ?? address.endIndex)
    let text = Array("\(place)\n\(input.text)".utf8)
    return String(decoding: PlaceholderNumbers.removed(from: text), as: UTF8.self)
  }
}
