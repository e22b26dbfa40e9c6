internal import FlowCore
internal import FlowEngine

extension ReplayFailure {
  /// What would let it pass; nil where nothing does.
  var allowance: Allowance? {
    switch self {
    case .changedInput, .misfit(_, .input): .changed
    case .notCalled: .unused
    default: nil
    }
  }

  /// The failure as data, a mismatch for each call.
  func mismatches(_ words: BoundaryFailure, isAllowed: Bool) -> [ReplayMismatch] {
    let diagnostic = Diagnostic(words.code, words.message, at: nil, notes: words.notes)
    let make = { (part: Part) in
      ReplayMismatch(
        subject: part.subject, address: part.address, line: part.recorded?.line,
        expected: part.expected, actual: part.actual, fields: part.fields, nearest: part.nearest,
        diagnostic: diagnostic, isAllowed: isAllowed)
    }
    return parts.map(make)
  }

  private struct Part {
    let subject: ReplayMismatch.Subject
    let address: String
    var recorded: Transcript.Call?
    var expected: JSON?
    var actual: JSON?
    var fields: [FieldChange] = []
    var nearest: ReplayMismatch.Candidate?

    init(_ subject: ReplayMismatch.Subject, _ invocation: Invocation, _ call: Transcript.Call?) {
      self.subject = subject
      address = invocation.address.description
      recorded = call
    }

    init(unused call: Transcript.Call) {
      subject = .call
      address = call.address
      recorded = call
      expected = .string(call.name)
    }
  }

  private var parts: [Part] {
    switch self {
    case .notCalled(let calls): return calls.map(Part.init(unused:))
    case .notRecorded(let invocation, _, let nearest):
      var part = Part(.call, invocation, nil)
      part.actual = .object([
        .init("invoke", .string(invocation.name)), .init("input", invocation.inputJSON),
      ])
      part.nearest = nearest
      return [part]
    case .otherOperation(let invocation, let call):
      var part = Part(.operation, invocation, call)
      part.expected = .string(call.name)
      part.actual = .string(invocation.name)
      return [part]
    case .changedInput(let invocation, let call, let fields):
      var part = Part(.input, invocation, call)
      part.expected = call.input
      part.actual = invocation.inputJSON
      part.fields = fields
      return [part]
    case .misfit(let invocation, .input(let call, _)):
      var part = Part(.input, invocation, call)
      part.expected = call.input
      part.actual = invocation.inputJSON
      return [part]
    case .otherOrder(let invocation, let call, let after):
      var part = Part(.order, invocation, call)
      part.expected = .array([.string(call.address), .string(after.address)])
      part.actual = .array([.string(after.address), .string(call.address)])
      return [part]
    case .notReported(let call, let invocation): return [Part(.answer, invocation, call)]
    case .misfit(let invocation, _), .notAwaited(let invocation, _):
      return [Part(.answer, invocation, nil)]
    }
  }
}
