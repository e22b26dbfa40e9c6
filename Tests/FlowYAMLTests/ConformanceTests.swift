import FlowYAML
import TestKit
import Testing

// Skipped, and said so, where the cases are not here.
@Suite(.enabled(if: OfficialCases.yaml.isHere, "\(OfficialCases.yaml.absence)"))
struct ConformanceTests {
  @Test(arguments: ConformanceSuite.cases)
  func `a case has the outcome that the suite demands, or its deviation is written down`(
    _ testCase: ConformanceSuite.Case
  ) {
    let outcome = ConformanceOutcome(reading: testCase)

    let deviation = Deviation.of(testCase.id)
    #expect(outcome == deviation?.outcome ?? .asDemanded, "\(deviation?.reason ?? testCase.demand)")
  }

  @Test func `the cases are all there`() {
    #expect(ConformanceSuite.cases.count == OfficialCases.yaml.count)
  }

  @Test
  func `every deviation names a case of the suite, once`() {
    let known = Set(ConformanceSuite.cases.map(\.id))
    let named = Deviation.all.flatMap(\.ids)

    #expect(named.filter { !known.contains($0) } == [])
    #expect(named.count == Set(named).count)
  }
}

/// How reading a case compares with what the suite demands.
enum ConformanceOutcome: Equatable {
  case asDemanded
  case accepted
  case rejected(YAMLError.Code)
  case rejectedWithoutPosition
  case otherValue(String)

  init(reading testCase: ConformanceSuite.Case) {
    do {
      let nodes = try Node.all(parsing: Array(testCase.yaml.utf8))
      self = ConformanceOutcome(of: testCase, value: nodes.map(json).joined(separator: "\n"))
    } catch {
      switch (error.mark, testCase.isInvalid) {
      case (nil, _): self = .rejectedWithoutPosition
      case (_, true): self = .asDemanded
      case (_, false): self = .rejected(error.code)
      }
    }
  }

  private init(of testCase: ConformanceSuite.Case, value: String) {
    guard !testCase.isInvalid else {
      self = .accepted
      return
    }
    // The suite gives no JSON where a mapping has no JSON form; then reading it is all it asks.
    self = testCase.json == nil || value == testCase.demand ? .asDemanded : .otherValue(value)
  }
}
