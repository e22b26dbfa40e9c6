import FlowCore
import TestKit
import Testing

@testable import FlowExpression

// Skipped with a message where the cases are missing.
@Suite(.enabled(if: OfficialCases.cel.isHere, "\(OfficialCases.cel.absence)"))
struct ConformanceTests {
  @Test(arguments: ConformanceCase.all)
  func `an official case has the result it states`(_ test: ConformanceCase) throws {
    let outcome = Self.outcome(of: test)

    if test.isError {
      #expect(
        outcome.error != nil, "\(test.expression) evaluates to \(String(describing: outcome.value))"
      )
      return
    }
    try #require(outcome.error == nil, "\(test.expression): \(outcome.error ?? "")")
    if let type = test.type { #expect(outcome.type == type, "\(test.expression)") }
    if let value = test.value, !test.isCheckOnly {
      let actual = try #require(outcome.value)
      #expect(Self.isSame(actual, value), "\(test.expression): \(actual) is not \(value)")
    }
  }

  @Test func `the official cases are all there`() {
    #expect(ConformanceCase.all.count == OfficialCases.cel.count)
  }

  private static func outcome(
    of test: ConformanceCase
  ) -> (value: Value?, type: ExpressionType?, error: String?) {
    do {
      let expression =
        test.isUnchecked
        ? try Expression(unchecked: test.expression, in: test.environment)
        : try Expression(test.expression, in: test.environment)
      if test.isCheckOnly { return (nil, expression.type, nil) }
      return (try expression.evaluate(test.activation), expression.type, nil)
    } catch {
      return (nil, nil, "\(error)")
    }
  }

  /// Equality with the kinds of numbers, and with NaN equal to itself.
  private static func isSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.double(let a), .double(let b)): a == b && a.sign == b.sign || a.isNaN && b.isNaN
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.entries.allSatisfy { entry in b[entry.key].map { isSame(entry.value, $0) } ?? false }
    default: left.kindName == right.kindName && left == right
    }
  }
}
