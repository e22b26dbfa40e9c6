import FlowCore
import Testing

@testable import ProcessPlugin

/// The output of a program that failed, in the answer that reports print.
@Suite struct FailedOutputTests {
  @Test func `the outputs of a program are marked as logs`() {
    let fields = ProcessResult.record.type.fields + ProcessResult.ofStopped.type.fields

    #expect(
      fields.filter(\.isLog).map(\.name) == ["stdout", "stderr", "stdout", "stderr"])
  }
}
