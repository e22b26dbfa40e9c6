internal import FlowEngine
internal import FlowSystem

// The member `schedule` of a header: {"delays":[[12,1,"idle"]],"faults":[{"at":"fetch#1","error":"busy"}]},
// {"at":"fetch#1","fault":"slow"} for a typical failure of the operation,
// and "crash":7 where the run is resumed after seven lines of its journal. Other faults are {"silent":"fetch#1"} and
// {"twice":"counter.changed","number":1}.

extension Schedule {
  /// The most delays, and the most faults, to read.
  private static let greatestCount = 1_000_000

  var json: JSON {
    let crash = crash.map { [JSON.Member("crash", .number("\($0)"))] } ?? []
    return .object(
      [
        .init(
          "delays",
          .array(
            delays.map {
              .array([
                .number("\($0.moment)"), .number("\($0.count)"), .string($0.length.rawValue),
              ])
            })),
        .init(
          "faults",
          .array(faults.map(\.json))),
      ] + crash)
  }

  /// Reads a schedule.
  ///
  /// Nil for anything else.
  init?(_ json: JSON) {
    guard case .object(let members) = json,
      [["delays", "faults"], ["delays", "faults", "crash"]].contains(members.map(\.name)),
      case .array(let delays)? = json["delays"], case .array(let faults)? = json["faults"],
      max(delays.count, faults.count) <= Self.greatestCount
    else { return nil }
    let crash = json["crash"].map(\.wholeNumber)
    if let crash, crash.map({ $0 > 0 }) != true { return nil }
    self.init(
      delays: delays.compactMap(Self.delay), faults: faults.compactMap(Fault.init),
      crash: crash ?? nil)
    let moments = self.delays.map(\.moment)
    guard self.delays.count == delays.count, self.faults.count == faults.count,
      zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
  }

  private static func delay(_ json: JSON) -> Delay? {
    guard case .array(let parts) = json, parts.count == 3,
      let moment = parts[0].wholeNumber, let count = parts[1].wholeNumber, count > 0,
      let length = parts[2].string.flatMap(Length.init(rawValue:))
    else { return nil }
    return Delay(at: moment, count: count, length)
  }
}

extension Schedule.Fault {
  fileprivate var json: JSON {
    switch self {
    case .error(let code, let address):
      .object([.init("at", .string(address)), .init("error", .string(code))])
    case .typical(let name, let address):
      .object([.init("at", .string(address)), .init("fault", .string(name))])
    case .silence(let address): .object([.init("silent", .string(address))])
    case .duplicate(let event, let number):
      .object([.init("twice", .string(event)), .init("number", .number("\(number)"))])
    }
  }

  fileprivate init?(_ json: JSON) {
    guard case .object(let members) = json else { return nil }
    switch members.map(\.name) {
    case ["at", "error"]:
      guard let address = json["at"]?.string, let code = json["error"]?.string else { return nil }
      self = .error(code, at: address)
    case ["at", "fault"]:
      guard let address = json["at"]?.string, let name = json["fault"]?.string else { return nil }
      self = .typical(name, at: address)
    case ["silent"]:
      guard let address = json["silent"]?.string else { return nil }
      self = .silence(at: address)
    case ["twice", "number"]:
      guard let event = json["twice"]?.string, let number = json["number"]?.wholeNumber, number > 0
      else { return nil }
      self = .duplicate(event: event, number: number)
    default: return nil
    }
  }
}

extension JSON {
  /// A number of digits alone.
  fileprivate var wholeNumber: Int? {
    guard case .number(let text) = self, let number = Int(text), "\(number)" == text, number >= 0
    else { return nil }
    return number
  }
}
