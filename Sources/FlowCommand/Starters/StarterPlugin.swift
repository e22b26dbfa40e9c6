/// The files of a package with one plugin: the counter of the page on writing plugins, under another name.
struct StarterPlugin: Sendable {
  /// The plugin's name in scenarios, which is an identifier of Swift.
  let name: String
  /// The dependency on flow, as Package.swift has it.
  let dependency: String
  /// What the dependency is called there.
  let package: String

  /// The component's type: `MyStore` for `my_store`.
  var type: String { Self.type(of: name) }

  static func type(of name: String) -> String {
    name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The files, by their paths in the package's folder.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      ("Sources/\(type)Plugin/\(type).swift", renamed(Self.component)),
      ("Sources/flow-\(name)/main.swift", main),
      ("Tests/\(type)PluginTests/\(type)Tests.swift", renamed(Self.tests)),
      ("Tests/\(type)PluginTests/\(type)ContractTests.swift", renamed(Self.contract)),
      ("Scenarios/\(name).yaml", renamed(Self.scenario)), ("README.md", readme),
      (".gitignore", ".build/\n.flow/\n"),
    ]
  }

  private func renamed(_ text: String) -> String {
    // The new names may contain the old ones.
    let text = text.replacing("counter", with: "\0").replacing("Counter", with: type)
      .replacing("\0", with: name)
    // The imports at the beginning, in the order that the formatter of Swift demands.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.prefix { $0.hasPrefix("import ") }
    return (imports.sorted() + lines.dropFirst(imports.count)).joined(separator: "\n")
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "flow-\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [\(dependency)],
      targets: [
        .target(
          name: "\(type)Plugin", dependencies: [.product(name: "FlowCore", package: "\(package)")]),
        .executableTarget(
          name: "flow-\(name)",
          dependencies: ["\(type)Plugin", .product(name: "FlowCommand", package: "\(package)")]),
        .testTarget(
          name: "\(type)PluginTests",
          dependencies: [
            "\(type)Plugin", .product(name: "FlowCore", package: "\(package)"),
            .product(name: "FlowTesting", package: "\(package)"),
          ]),
      ]
    )

    """
  }

  private var main: String {
    """
    import \(["FlowCommand", "\(type)Plugin"].sorted().joined(separator: "\nimport "))

    await FlowCommand.main([\(type).self])

    """
  }

  private var readme: String {
    """
    # flow-\(name)

    The plugin `\(name)` of flow, and a `flow` that has it.

    - `swift test` runs its tests, and checks the contract of components.
    - `swift run flow-\(name) test Scenarios` runs the scenarios, and records those without a transcript.
    - `swift run flow-\(name) list \(name)` prints what scenarios can use of it.

    """
  }

  // MARK: - Templates

  private static let component = #"""
    public import FlowCore

    /// Counts up to a limit.
    public actor Counter: Component {
      /// The plugin `counter`.
      public static let plugin = Plugin(
        "counter", version: "1.0", "Counts up to a limit.", state: .memory,
        settings: Parameter<Int>("limit", "The greatest count.", default: 10),
        events: [reached],
        operations: [
          Operation(
            "add", "Counts on.", Parameter<Int>("amount", "How far to count on.", default: 1),
            answers: count, errors: [.negative, .full]
          ) { counter, context, amount in try await counter.add(amount, context) }
        ]
      ) { _, limit in Counter(limit: limit) }

      static let count = Record<Int>("count", "The count now.")
      static let reached = EventKind("reached", "The count is at its limit.", count)

      private let limit: Int
      private var count = 0

      init(limit: Int) {
        self.limit = limit
      }

      func add(_ amount: Int, _ context: Context) throws(CounterError) -> Int {
        guard amount >= 0 else { throw .negative(amount) }
        guard amount <= limit - count else { throw .full(limit: limit) }
        count += amount
        if count == limit { context.emit(Self.reached, count) }
        return count
      }
    }

    /// Why a counter does not count on.
    enum CounterError: CodedError, CustomStringConvertible {
      case negative(Int)
      case full(limit: Int)

      var code: ErrorCode {
        switch self {
        case .negative: .negative
        case .full: .full
        }
      }

      var description: String {
        switch self {
        case .negative(let amount): "the amount \(amount) is negative"
        case .full(let limit): "the count would exceed \(limit)"
        }
      }
    }

    extension ErrorCode {
      static let negative = ErrorCode("negative", "The amount is negative.")
      static let full = ErrorCode("full", "The count would exceed the limit.")
    }

    """#

  private static let tests = #"""
    import FlowCore
    import FlowTesting
    import Testing

    @testable import CounterPlugin

    @Suite struct CounterTests {
      @Test func `the counter counts, refuses and reports`() async throws {
        let counter = try await OpenComponent(Counter.self, with: ["limit": 3])

        let texts = [
          await counter.text("add"),
          await counter.text("add", ["amount": -1]),
          await counter.text("add", ["amount": 3]),
          await counter.text("add", ["amount": 2], at: "rest"),
        ]

        #expect(
          texts == [
            "{count: 1}", "negative: the amount -1 is negative", "full: the count would exceed 3",
            "{count: 3}",
          ])
        #expect(counter.events == ["rest#1 counter.reached {count: 3}"])
      }
    }

    """#

  private static let contract = #"""
    import CounterPlugin
    import FlowTesting
    import Testing

    @Suite struct CounterContractTests {
      @Test(arguments: ContractCheck.allCases)
      func `the counter keeps the contract of components`(_ check: ContractCheck) async throws {
        let sample = try ScenarioFile("../../Scenarios/counter.yaml")

        try await ComponentContract(Counter.self, sample: sample).verify(check)
      }
    }

    """#

  private static let scenario = #"""
    flow: 1
    name: Count to three
    components:
      counter: {plugin: counter, with: {limit: 3}}
    steps:
      - uses: counter.add
        with: {amount: 3}
        expect: {count: 3}
      - uses: counter.add
        expect: {error: full}

    """#
}
