internal import FlowCore
internal import FlowEngine
internal import FlowScenario

extension LiveRun {
  /// What the components of a plan find around them, in virtual time or in real time for nil.
  func services(
    of plan: Plan, time: VirtualTime?, _ redactor: Redactor,
    log: @escaping @Sendable (Address, String) -> Void
  ) -> ContextServices.Options {
    var services = ContextServices.Options(directory: Directory(Path.folder(of: plan.file)))
    services.seed = seed
    services.run = name
    services.log = log
    services.secrets = Secrets(redactor: redactor) { [secrets] in secrets.value($0) }
    services.document = DocumentReader.read
    guard let time else { return services }
    let start = services.date()
    services.clock = time.clock
    services.date = { start.advanced(by: time.clock.now.offset) ?? start }
    return services
  }
}
