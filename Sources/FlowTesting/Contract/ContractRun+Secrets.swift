internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

extension ContractRun {
  /// What is seen of secrets: whatever two runs of the sample tell or log differently that have other ones.
  func secretProblems(_ first: Record, _ second: Record) async -> [Diagnostic] {
    let tells = first.transcript.bytes != second.transcript.bytes
    let logs = first.log != second.log
    guard tells || logs else { return [] }
    let again = await record()
    guard first.transcript.bytes == again.transcript.bytes else {
      return [SecretFault.varying.diagnostic(at: nil)]
    }
    // A line for people may vary by itself, and then nothing is known of it.
    let logged = logs && first.log == again.log ? loggedSecrets(first, second) : []
    return (tells ? toldSecrets(first, second) : []) + logged
  }

  /// The calls that are answered otherwise though they are asked the same.
  private func toldSecrets(_ first: Record, _ second: Record) -> [Diagnostic] {
    guard let difference = difference(first.transcript, second.transcript), !difference.isEmpty
    else { return [SecretFault.form.diagnostic(at: nil)] }
    var known: Set<[String]> = []
    let problems: [Diagnostic] = difference.calls.compactMap { call in
      guard call.isAskedTheSame, known.insert([call.name] + call.declaredFields).inserted else {
        return nil
      }
      return SecretFault.told(call.name, fields: call.declaredFields)
        .diagnostic(at: first.span(of: call.address, in: plan.file))
    }
    if !problems.isEmpty { return problems }
    return [SecretFault.sample(difference.declaredFields).diagnostic(at: nil)]
  }

  private func loggedSecrets(_ first: Record, _ second: Record) -> [Diagnostic] {
    let pair = zip(first.log, second.log).first { $0 != $1 }
    let longer = first.log.count > second.log.count ? first.log : second.log
    guard let address = (pair?.0 ?? longer.last)?.address else { return [] }
    return [
      SecretFault.logged(first.name(of: address))
        .diagnostic(at: first.span(of: "\(address)", in: plan.file))
    ]
  }
}

extension TranscriptDifference.Call {
  /// Whether nothing but its answer and its events differ, so that its component is the cause.
  fileprivate var isAskedTheSame: Bool {
    kind == .changed && !fields.contains { $0.path == "invoke" || $0.declared.hasPrefix("input") }
  }

  /// The declared fields that differ, each once, as many as are worth telling.
  fileprivate var declaredFields: [String] {
    Array(fields.map(\.declared).unique.prefix(ContractRun.mostLines))
  }
}

extension TranscriptDifference {
  /// Everything that differs, each once, as many as are worth telling.
  fileprivate var declaredFields: [String] {
    let calls = calls.flatMap { call in
      let fields = call.kind == .changed ? call.declaredFields : ["the number of calls"]
      return fields.map { "\($0) of '\(call.name)'" }
    }
    let outputs = outputs.map { "outputs.\($0.path.prefix { $0 != "." && $0 != "[" })" }
    let end = end.map { _ in ["the end of the run"] } ?? []
    return Array((calls + outputs + end).unique.prefix(ContractRun.mostLines))
  }
}

extension FieldChange {
  /// The path up to a field that the component declares: the names below it may be made of a secret.
  fileprivate var declared: String {
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    return names.prefix(path.hasPrefix("events") ? 3 : 2).joined(separator: ".")
  }
}

extension [String] {
  /// The texts without those that came before.
  fileprivate var unique: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
