internal import FlowTexts

/// The files of a package with one plugin: the counter from the page on writing plugins, under
/// another name.
struct StarterPlugin: Sendable {
  /// The name of the plugin in scenarios, an identifier of Swift.
  let name: String
  /// The dependency on flow in Package.swift.
  let dependency: String
  /// The name of this dependency in Package.swift.
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
      ("Sources/\(type)Plugin/\(type).swift", renamed(Texts.counter)),
      ("Sources/flow-\(name)/main.swift", main),
      ("Tests/\(type)PluginTests/\(type)Tests.swift", renamed(Texts.counterTests)),
      (
        "Tests/\(type)PluginTests/\(type)ChecksTests.swift",
        renamed(Texts.counterChecks)
      ),
      ("Scenarios/\(name).yaml", renamed(Texts.counterScenario)),
      ("README.md", readme), (".gitignore", ".build/\n.flow/\n"),
    ]
  }

  /// Returns a file of the counter under the new names, adapted to the other place of its tests.
  private func renamed(_ file: [UInt8]) -> String {
    let text = String(decoding: file, as: UTF8.self)
      .replacing("DocumentedCounter", with: "CounterPlugin")
      .replacing("../count.yaml", with: "../../Scenarios/counter.yaml")
      // The new names may contain the old ones.
      .replacing("counter", with: "\0").replacing("Counter", with: type)
      .replacing("\0", with: name)
    // Sorts the imports as Swift's formatter demands.
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

    - `swift test` runs its tests, and runs the checks of components.
    - `swift run flow-\(name) test Scenarios` runs the scenarios, and records those without a transcript.
    - `swift run flow-\(name) list \(name)` prints what scenarios can use of it.

    """
  }
}

/// The address of a repository for git: `https://example.org/flow.git`, `git@example.org:flow.git`.
struct CloneAddress: Sendable {
  let text: String

  /// Reads an address.
  ///
  /// Nil for text without protocol and user, or with characters not allowed in addresses.
  init?(_ text: String) {
    let isAddress = text.contains("://") || text.prefix { $0 != ":" }.contains("@")
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !"\"\\`$".unicodeScalars.contains($0)
    }
    guard isAddress, isPlain, !text.hasPrefix("-") else { return nil }
    self.text = text
  }

  /// The name of the package in SwiftPM: the last part of the address without `.git`.
  var identity: String {
    let last = text.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? text
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
