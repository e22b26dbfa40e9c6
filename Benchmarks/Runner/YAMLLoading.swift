import CEventLoop
import FlowYAML

/// Loading a large scenario: libyaml alone, and FlowYAML to a tree with positions.
enum YAMLLoading {
  static let benchmark = Benchmark(name: "yaml", rounds: 9) {
    [("libyaml's events", "events"), ("tree", "tree")].map { name, argument in
      Case(
        name: name, figures: [.init("time", "ms"), .init("peak", "MiB")],
        isReference: argument == "events"
      ) {
        try ChildProcess.numbers([$0.benchmarks, Child.yaml.rawValue, argument], count: 2).numbers
      }
    }
  }

  private static let steps = 70_000

  /// What the child process does: prints milliseconds, and MiB at the peak beyond the text.
  static func measure(isTree: Bool) throws {
    let text = scenario(steps: steps)
    let before = peakMemory()
    let time = try ContinuousClock().measure {
      if isTree {
        _ = try Node(parsing: text)
      } else {
        precondition(countEvents(text) > 0, "libyaml rejects the scenario")
      }
    }
    print(time / .milliseconds(1), Double(peakMemory() - before) / 1_048_576)
  }

  /// Steps as people write them: an id, an operation, some input, an expectation.
  private static func scenario(steps: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(steps * 160)
    text += "flow: 1\nname: Many steps\nsteps:\n".utf8
    for step in 0..<steps {
      text +=
        """
          - id: step\(step)
            uses: balance.subtract
            with: {amount: \(step % 100).50, note: "step \(step)"}
            expect:
              balance: ${{ inputs.amount }}

        """.utf8
    }
    return text
  }

  /// How many events libyaml finds in a document.
  static func countEvents(_ text: [UInt8]) -> Int {
    unsafe text.withUnsafeBufferPointer { unsafe flow_count_events($0.baseAddress, $0.count) }
  }
}
