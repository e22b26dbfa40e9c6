internal import FlowCore
internal import FlowEngine

extension JSONWriter {
  /// An event's line, if it has one.
  ///
  /// Only a journal's header names the run.
  mutating func line(of event: Event, scenario: String, run: String? = nil) {
    switch event {
    case .runStarted(let description):
      TranscriptHeader(description, scenario: scenario, name: run, writer: &self).write(to: &self)
    case .invoked(let invocation): append(invocation)
    case .completed(let invocation, let outcome): append(invocation, outcome)
    case .emitted(let address, let event, let payload):
      begin(address)
      name("emit")
      string(event)
      name("payload")
      dynamic(payload)
      endObject()
    case .runEnded(let result): append(result)
    case .branchStarted, .branchEnded, .stepStarted, .stepEnded: return
    }
    endLine()
  }

  /// The outputs of a scenario as an object.
  mutating func outputs(_ outputs: [(name: String, value: Value)]) {
    beginObject()
    for output in outputs {
      name(output.name)
      dynamic(output.value)
    }
    endObject()
  }

  private mutating func begin(_ address: Address) {
    beginObject()
    name("at")
    self.address(address)
  }

  private mutating func append(_ invocation: Invocation) {
    begin(invocation.address)
    name("invoke")
    string(invocation.name)
    name("input")
    value(invocation.input, as: .record(invocation.inputType))
    endObject()
  }

  private mutating func append(_ invocation: Invocation, _ outcome: Outcome) {
    begin(invocation.address)
    switch outcome {
    case .answer(let answer):
      name("ok")
      value(answer, as: .record(invocation.outputType))
    case .cancelled:
      name("cancelled")
      bool(true)
    case .error(let error):
      name("error")
      string(error.code.name)
      name("message")
      string(error.message)
    }
    endObject()
  }

  private mutating func append(_ result: RunReport) {
    beginObject()
    name("at")
    string("steps")
    name("end")
    string(result.passed ? "passed" : "failed")
    name("outputs")
    outputs(result.outputs)
    endObject()
  }
}
