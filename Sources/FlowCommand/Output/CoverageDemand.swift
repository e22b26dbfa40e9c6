internal import FlowCore
internal import FlowRedaction
internal import FlowReport

/// The demands on the coverage of services' descriptions.
struct CoverageDemand: Sendable {
  /// The required shares, in percent.
  let thresholds: [ContractPart.Kind: Decimal]
  /// True if the text has lines about it.
  let isListed: Bool

  /// Creates the demands of a command, without thresholds if there is no setting.
  ///
  /// Thresholds of `flow.yaml` count if the report is requested, so that a test of a few scenarios
  /// does not fail by them.
  init(_ requests: ReportRequests, _ setting: Setting<[ContractPart.Kind: Decimal]>?) {
    let isRequested = requests.formats.contains(ReportFormat.contractName)
    let isOption = if case .option? = setting?.origin { true } else { false }
    thresholds = isRequested || isOption ? setting?.value ?? [:] : [:]
    isListed = isRequested || isOption
  }

  /// True if it needs the covered parts.
  var isDemanded: Bool { isListed }
}

extension SuiteReport {
  /// Takes over the demands.
  mutating func demand(_ coverage: CoverageDemand) {
    (thresholds, listsCoverage) = (coverage.thresholds, coverage.isListed)
  }
}

extension CommandContext {
  /// Prints the unmet thresholds.
  func say(_ shortfalls: [String]) {
    for shortfall in shortfalls { process.say(redactor.redacted(shortfall)) }
  }
}

extension ProjectSettings {
  /// The option for the required shares.
  static let thresholdOption = Option(
    "contract-threshold", .required("KIND=PERCENT"),
    "Fails if less of a service's description is covered. Several with commas.",
    completion: .list(ContractPart.Kind.allCases.map { "\($0.rawValue)=" }))

  /// Reads the option, or returns nil without it.
  static func thresholds(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> [ContractPart.Kind: Decimal]? {
    let texts = arguments.values(thresholdOption.name)
    if texts.isEmpty { return nil }
    var thresholds: [ContractPart.Kind: Decimal] = [:]
    for text in texts {
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let kind = ContractPart.Kind(rawValue: String(sides[0])),
          let percent = Decimal(percent: String(sides[1])), thresholds[kind] == nil
        else {
          let kinds = ContractPart.Kind.allCases.map(\.rawValue).alternatives
          throw .malformed(
            option: thresholdOption.name, value: text,
            expected: "KIND=PERCENT, each KIND once, \(kinds), and PERCENT from 0 to 100")
        }
        thresholds[kind] = percent
      }
    }
    return thresholds
  }
}

extension Decimal {
  /// Reads a percentage, or returns nil for anything but a number from 0 to 100.
  init?(percent text: String) {
    guard let number = Decimal(text), Decimal.zero...Decimal(100) ~= number else { return nil }
    self = number
  }
}
