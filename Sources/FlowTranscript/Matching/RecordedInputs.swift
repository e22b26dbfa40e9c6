internal import FlowCore
package import FlowEngine
internal import FlowPlan
internal import FlowSystem

// The input of a call, compared with recorded ones.

extension Transcript.Call {
  /// The recorded input, with the present values in place of the patterns that accept them.
  func input(for invocation: Invocation) -> RecordedValue {
    let input = varyingInput(of: invocation)
    guard input.hasPatterns else { return input }
    return input.matched(by: .plain(invocation.inputJSON), as: .record(invocation.inputType))
  }
}

extension Transcript.Call {
  /// The recorded input with a pattern in each part that varies.
  ///
  /// A journal has none.
  func varyingInput(of invocation: Invocation) -> RecordedValue {
    guard invocation.variesInput, !input.hasPatterns else { return input }
    var reader = RecordedValue.Reader()
    return (try? reader.value(invocation.marked(input.json))) ?? input
  }
}

extension Invocation {
  /// The input as a recorder writes it.
  var inputJSON: JSON { JSON(input, as: .record(inputType)) }

  /// The JSON of the input with a pattern in each part that varies.
  func marked(_ json: JSON) -> JSON {
    guard let varying = role?.varying else { return json }
    let type = ValueType.record(inputType)
    return json.marking(varying.any, as: type)
      .marking(varying.same, as: type, with: RecordedPattern.sameName)
      .marking(varying.unordered, as: type, with: RecordedPattern.unorderedName)
  }

  /// The part of the input that tells calls apart.
  var questionJSON: JSON {
    guard variesInput else { return inputJSON }
    var reader = RecordedValue.Reader()
    let marked = marked(inputJSON)
    return (try? reader.value(marked).question) ?? marked
  }

  /// True for the same operation with the same input, except for the parts that vary.
  package func asksTheSame(as other: Invocation) -> Bool {
    name == other.name && questionJSON == other.questionJSON
  }

  /// The differences from a recorded input.
  ///
  /// A recorded null equals an absent field. In JSON it is a member of its own.
  func changes(from recorded: JSON) -> [FieldChange] {
    FieldChange.between(recorded, inputJSON, as: .record(inputType), naming: target.namedLists)
      .filter { $0.recorded != .null || $0.now != nil || $0.path.contains(".") }
  }

  /// The recorded input as a value, with the defaults of fields that are new since then.
  func value(of recorded: inout JSON) throws(DecodeError) -> Value {
    do { return try Value(recorded, as: .record(inputType)) } catch {
      guard case .missing = error.reason else { throw error }
      recorded = recorded.fillingDefaults(of: inputType, besides: inputJSON)
      return try Value(recorded, as: .record(inputType))
    }
  }
}

extension Invocation {
  /// Returns the payload type of an event `component.event`, or nil if the component does not
  /// declare it.
  func payloadType(of event: String) -> RecordType? {
    // The event is reported in the component's scope, not in that of the waiting step.
    guard let plugin else { return nil }
    // Without building strings, since it runs for every report.
    let (parts, point) = (event.utf8, UInt8(ascii: "."))
    guard let end = parts.firstIndex(of: point),
      parts[..<end].elementsEqual(name.utf8.prefix { $0 != point })
    else { return nil }
    let member = parts[end...].dropFirst()
    return plugin.events.first { member.elementsEqual($0.name.utf8) }?.payload
  }
}

extension Invocation.Target {
  /// The lists in the input whose elements have names.
  fileprivate var namedLists: [NamedList] {
    if case .operation(let operation) = self { operation.description.namedLists } else { [] }
  }
}
