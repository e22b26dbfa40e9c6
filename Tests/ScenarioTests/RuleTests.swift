import FlowCore
import TestKit
import Testing

@testable import FlowCommand
@testable import FlowExpression

/// Every diagnostic code is explained, and what the explanations show is so.
@Suite struct RuleTests {
  @Test(arguments: Rule.all.filter { !$0.bad.isEmpty })
  func `the wrong example of a rule breaks it and the right one is clean`(_ rule: Rule) async throws
  {
    let folder = try TemporaryFolder()
    // A project file has a name of its own, so each example has a folder of its own.
    let name = rule.subject == .project ? "flow.yaml" : "scenario.yaml"
    for (kind, text) in [("bad", rule.bad), ("good", rule.good)] {
      try folder.write(text, to: "\(kind)/\(name)")
      try folder.write(rule.part, to: "\(kind)/part.yaml")
    }
    let bad = try await FlowRun(Self.command(rule) + [folder.directory.path + "/bad/\(name)"])
    let good = try await FlowRun(Self.command(rule) + [folder.directory.path + "/good/\(name)"])

    #expect(bad.errors.contains("[\(rule.code)]"))
    #expect(good.errors == "")
    #expect(good.code == .passed)
  }

  /// What finds that a rule is broken: a run, where only that can.
  private static func command(_ rule: Rule) -> [String] {
    if rule.subject == .project { return ["config"] }
    if rule.code == "F1216" { return ["run", "--deny", "files"] }
    return rule.code.hasPrefix("F2") ? ["run"] : ["check", "--strict"]
  }

  @Test func `every code of a scenario has a case among the rejected or failing ones`() throws {
    let rejected = ScenarioFolder.names(in: "rejected").map { "rejected/\($0).err" }
    let failing = ScenarioFolder.names(in: "failing").map { "failing/\($0).err" }
    let texts = try (rejected + failing).map(ScenarioFolder.text).joined()
    // No file of the folder can show these: what several runs show, what is missing, what is not locked, what the caller gives or denies, what is imported or
    // cancelled, what a program asks for, what a server answers.
    let others: Set = [
      "F1001", "F1216", "F1224", "F1401", "F1402", "F1403", "F1404", "F1405", "F1406", "F1407",
      "F1701",
      "F2009", "F2011", "F2012", "F2013",
    ]

    for rule in Rule.all
    where rule.subject == .scenario && !others.contains(rule.code) && !rule.code.hasPrefix("F3") {
      #expect(texts.contains("[\(rule.code)]"), "no case for \(rule.code), \(rule.title)")
    }
  }

  @Test func `every code that a case shows is explained`() throws {
    let rejected = ScenarioFolder.names(in: "rejected").map { "rejected/\($0).err" }
    let failing = ScenarioFolder.names(in: "failing").map { "failing/\($0).err" }
    let explained = Set(Rule.all.map(\.code))

    for name in rejected + failing {
      let codes = try ScenarioFolder.text(name).matches(of: /\[(F\d{4})\]/).map { String($0.1) }
      #expect(!codes.isEmpty, "\(name) shows no code")
      #expect(explained.isSuperset(of: codes))
    }
  }

  @Test func `'flow explain F1303' lists every function`() async throws {
    let words = try await FlowRun("explain", "F1303").output
      .split { " ,\n".contains($0) }

    let missing = Set(Library.names.filter { $0 != "in" }).subtracting(words.map(String.init))
    #expect(missing.sorted() == [])
  }

  @Test func `every code is explained once`() throws {
    let source = try ScenarioFolder.text("../Sources/FlowCore/Diagnostics/DiagnosticCode.swift")
    let codes = source.matches(of: /"(F\d{4})"/).map { String($0.1) }

    #expect(Rule.all.map(\.code) == codes.sorted())
  }

  @Test func `every section of the page is a rule, and every example belongs to one`() throws {
    let page = try ScenarioFolder.text("../Docs/rules.md")
    let fences = page.matches(of: /(?m)^```yaml$/).count
    let examples = Rule.all.flatMap { [$0.bad, $0.good, $0.part] }.filter { !$0.isEmpty }

    #expect(page.matches(of: /(?m)^##[ ]/).count == Rule.all.count)
    #expect(examples.count == fences)
    #expect(Rule.all.map(\.code) == Rule.all.map(\.code).sorted())
  }

  @Test func `every rule shows a file that breaks it, or what is printed`() {
    for rule in Rule.all where rule.bad.isEmpty {
      #expect(rule.explanation.contains("[\(rule.code)]"), "no example for \(rule.code)")
    }
  }

  @Test func `an unknown code is a wrong command line`() async throws {
    let run = try await FlowRun("explain", "F9999")

    #expect(
      run.errors == "flow: no diagnostic has the code 'F9999'; 'flow explain' lists all of them\n"
        + "see 'flow help explain'\n")
    #expect(run.code == .badCommandLine)
  }
}
