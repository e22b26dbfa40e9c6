internal import FlowCore
internal import FlowSystem

/// When a call was added to a recording, and from what.
///
/// A class, so that the lines of all the other calls do not get longer by it.
final class AddedCall: Sendable {
  let date: Timestamp
  /// The component and its plugin's version, `catalog 1.0`.
  let source: String

  init(date: Timestamp, source: String) {
    self.date = date
    self.source = source
  }
}

extension AddedCall {
  /// Reads `{"date":"…","from":"catalog 1.0"}`; nil for everything else.
  convenience init?(_ json: JSON) {
    guard case .object(let members) = json, members.map(\.name) == ["date", "from"],
      let date = members[0].value.string.flatMap({ Timestamp($0) }),
      let source = members[1].value.string
    else { return nil }
    self.init(date: date, source: source)
  }
}
