internal import FlowSystem

/// The requests from outside of a run up to a moment.
///
/// It is the place of an event that may have been caused by them, such as the call of a server back
/// into the program that has asked it.
struct RequestCount: Sendable, Hashable {
  /// The number of those that have come.
  private(set) var come = 0
  /// The number of those without an answer.
  private(set) var open = 0

  /// Notes the arrival of a request.
  mutating func begin() { (come, open) = (come + 1, open + 1) }

  /// Notes an answer.
  mutating func end() { open -= 1 }

  /// Returns true if at least as many requests have come and have been answered as up to another
  /// moment.
  func reaches(_ other: RequestCount) -> Bool {
    come >= other.come && come - open >= other.come - other.open
  }
}

extension RequestCount {
  /// Reads `"after":2,"open":1`, or nothing as no request.
  ///
  /// Nil for anything else.
  init?(_ members: ArraySlice<JSON.Member>) {
    var numbers: [Int] = []
    for (member, name) in zip(members, ["after", "open"]) {
      guard member.name == name, case .number(let text) = member.value, let number = Int(text),
        number > 0, number <= numbers.first ?? .max
      else { return nil }
      numbers.append(number)
    }
    guard numbers.count == members.count else { return nil }
    if let come = numbers.first { self.come = come }
    if numbers.count == 2 { open = numbers[1] }
  }

  /// Writes the members, none for no request.
  func write(to sink: inout some JSONSink) {
    for (name, number) in [("after", come), ("open", open)] where number > 0 {
      sink.name(name)
      sink.number(String(number))
    }
  }
}
