import TestKit
import Testing

/// The table of the modules says what `Package.swift` says.
@Suite struct LayerTests {
  /// A row of the table, or a target.
  struct Module: Equatable, CustomStringConvertible {
    let name: String
    let dependencies: Set<String>

    var description: String { "\(name): \(dependencies.sorted().joined(separator: ", "))" }
  }

  @Test func `the table of the modules shows their dependencies`() throws {
    let rows = Self.rows(try text("CONTRIBUTING.md"))
    let targets = Self.modules(try text("Package.swift"))

    #expect(
      rows.sorted { $0.name < $1.name }.map(\.description)
        == targets.sorted { $0.name < $1.name }.map(\.description))
  }

  @Test func `every module is below those that depend on it`() throws {
    var below: Set<String> = []

    for row in Self.rows(try text("CONTRIBUTING.md")) {
      #expect(row.dependencies.subtracting(below).filter { $0.hasPrefix("Flow") } == [])
      below.insert(row.name)
    }
  }

  @Test(arguments: ["FlowScenario", "FlowYAML", "FlowSchema", "FlowOpenAPI", "FlowGraphQL"])
  func `the engine needs no reader of scenarios`(_ module: String) throws {
    let targets = Self.modules(try text("Package.swift"))
    var (reached, waiting) = (Set<String>(), ["FlowEngine"])

    while let name = waiting.popLast() {
      for next in targets.first(where: { $0.name == name })?.dependencies ?? []
      where reached.insert(next).inserted {
        waiting.append(next)
      }
    }

    #expect(reached.contains("FlowPlan"))
    #expect(!reached.contains(module))
  }

  /// The rows of the table, from the bottom up.
  private static func rows(_ page: String) -> [Module] {
    page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, let name = quoted(cells[1], by: "`").first else { return nil }
      return Module(name: name, dependencies: Set(quoted(cells[3], by: "`")))
    }
  }

  /// The targets of `Sources`, without the plugins that `flow-cli` lists.
  private static func modules(_ manifest: String) -> [Module] {
    manifest.split(separator: "arget(").dropFirst().compactMap { target in
      let names = quoted(target.prefix { $0 != "," && $0 != ")" }, by: "\"")
      guard let name = names.first, name.hasPrefix("Flow") || name == "flow-cli",
        !target.contains("path:"), !name.hasSuffix("Tests")
      else { return nil }
      let list = target.split(separator: "dependencies: [").dropFirst().first ?? ""
      let dependencies = quoted(list.prefix { $0 != "]" }, by: "\"")
      return Module(
        name: name, dependencies: Set(dependencies.filter { !$0.hasSuffix("Plugin") }))
    }
  }

  /// The texts between pairs of a quotation mark.
  private static func quoted(_ text: Substring, by mark: Character) -> [String] {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  private func text(_ path: String) throws -> String { try ProjectFiles.text(path) }
}
