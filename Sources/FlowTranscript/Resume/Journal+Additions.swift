internal import FlowCore
internal import FlowEngine
internal import FlowSystem

// Lines that `flow resume` adds to a journal before the run goes on.

extension Journal {
  /// Returns the line that continues a failed run, and the journal with it, or nil if the run would
  /// fail in the same way.
  ///
  /// With a changed scenario the result is unknown.
  package func retrying(
    _ failures: FailedSteps, isChanged: Bool
  ) -> (line: [UInt8], journal: Journal)? {
    let retried = RetriedSteps(failures, in: self)
    let isDecided = failures.areDecided && !retried.hasFailedCalls
    if !isChanged, failures.entries.isEmpty || isDecided { return nil }
    let line = TranscriptLine(at: "steps", kind: .retry(steps: retried.addresses))
    var writer = JSONWriter(longestLine: LineCursor.longest)
    line.write(to: &writer)
    writer.endLine()
    let steps = Set(retried.addresses.compactMap { Address($0)?.step })
    return (writer.bytes, without(steps))
  }

  private func without(_ steps: Set<Address>) -> Journal {
    Journal(
      header: header, run: run, passed: nil, outputs: .plain(.object([])), date: nil,
      length: length, tornBytes: tornBytes, checksum: checksum, calls: calls.without(steps),
      timers: timers.without(steps))
  }

  /// Returns the journal with other calls and timers.
  func with(_ calls: CallList, _ timers: [RecordedTimer.Key: RecordedTimer]) -> Journal {
    Journal(
      header: header, run: run, passed: passed, outputs: outputs, date: date, length: length,
      tornBytes: tornBytes, checksum: checksum, calls: calls, timers: timers)
  }

  /// Returns the next lines of the journal, with checksums if the others have them.
  package func signing(_ lines: [[UInt8]]) -> [[UInt8]] {
    var checksum = checksum
    return lines.map { line in
      var line = line
      checksum?.sign(&line)
      return line
    }
  }
}

extension [RecordedTimer.Key: RecordedTimer] {
  /// The timers without those of some steps.
  func without(_ steps: Set<Address>) -> Self {
    filter { timer, _ in !steps.contains(timer.address.step) }
  }
}
