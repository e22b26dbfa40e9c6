import CEventLoop
import FlowYAML

/// Loading a large scenario: libyaml alone, and FlowYAML to a tree with positions.
enum YAMLLoading {
  private static let steps = 70_000
  private static let rounds = 9

  static func run() throws {
    let text = scenario(steps: steps)
    // The peak never falls, so memory is measured before anything else has raised it.
    let before = peakMemory()
    let nodes = count(try Node(parsing: text))
    let memory = peakMemory() - before

    var (bare, tree): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      bare.append(seconds { precondition(countEvents(text) > 0, "libyaml rejects the scenario") })
      tree.append(try seconds { _ = try Node(parsing: text) })
    }
    report(bytes: text.count, nodes: nodes, memory: memory, bare: median(bare), tree: median(tree))
  }

  /// Prints medians; the two ways take turns, so that a slow moment of the machine meets both.
  private static func report(bytes: Int, nodes: Int, memory: Int, bare: Double, tree: Double) {
    let megabytes = Double(bytes) / 1e6
    printTable([
      ["", "MB/s", "time / libyaml"],
      ["libyaml events", decimal(megabytes / bare), "1.0"],
      ["FlowYAML tree", decimal(megabytes / tree), decimal(tree / bare)],
    ])
    printTable([
      ["\(steps) steps", "\(decimal(megabytes)) MB", "\(nodes) nodes"],
      [
        "memory of the tree", "\(decimal(Double(memory) / 1048576)) MiB",
        "\(memory / nodes) bytes per node",
      ],
    ])
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

  private static func count(_ node: Node) -> Int {
    let items = node.items.reduce(0) { $0 + count($1) }
    return node.entries.reduce(1 + items) { $0 + count($1.key) + count($1.value) }
  }

  private static func countEvents(_ text: [UInt8]) -> Int {
    unsafe text.withUnsafeBufferPointer { unsafe flow_count_events($0.baseAddress, $0.count) }
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return duration / .seconds(1)
  }
}
