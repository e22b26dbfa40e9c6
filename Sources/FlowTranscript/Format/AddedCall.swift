internal import FlowCore
internal import FlowSystem

/// The date and the source of a call added to a recording.
///
/// A class, so the lines of all other calls take no more room.
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
  /// Reads `{"date":"…","from":"catalog 1.0"}`.
  ///
  /// Nil for anything else.
  convenience init?(_ json: JSON) {
    guard case .object(let members) = json, members.map(\.name) == ["date", "from"],
      let date = members[0].value.string.flatMap({ Timestamp($0) }),
      let source = members[1].value.string
    else { return nil }
    self.init(date: date, source: source)
  }
}
