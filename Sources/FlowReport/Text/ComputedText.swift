internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowSystem

extension ComputedValue {
  private static let longestOperand = 80

  /// Returns the value on one line, and the values behind it.
  ///
  ///     set tax = 5.70 from ${{ rate * total }} where rate is 0.19, total is 30.00
  ///     if ${{ steps.page.left > 0 }} is false where steps.page.left is 0
  func line(limit: Int) -> String {
    let shown = value.summary(limit: limit)
    let origin = source.shortened(to: limit).onOneLine
    switch use {
    case .set, .output, .evidence:
      return "\(title) = \(shown)" + (origin.isEmpty ? "" : " from \(origin)") + reasons
    case .name, .condition, .while, .until, .expect, .assert:
      return "\(title) \(origin) is \(shown)" + reasons
    }
  }

  /// `set tax`, `expect json.total`, `if`.
  var title: String {
    ([use.rawValue] + (name.isEmpty ? [] : [name.onOneLine])).joined(separator: " ")
  }

  /// The source of the value, with the values behind it, or an empty string for a constant.
  var origin: String { source.onOneLine + reasons }

  private var reasons: String {
    let parts = operands.map {
      "\($0.text.onOneLine) is \($0.value.shortened(to: Self.longestOperand))"
    }
    return parts.isEmpty ? "" : " where " + parts.joined(separator: ", ")
  }
}
