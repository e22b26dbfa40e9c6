import FlowCore
import Testing

@testable import BrowserPlugin

/// Trees of `Accessibility.getFullAXTree`.
@Suite struct AccessibleNodeTests {
  private func node(
    _ id: String, in parent: String? = nil, _ role: String, _ name: String = "",
    children: [String] = [], properties: [String: Value] = [:], ignored: Bool = false
  ) -> Value {
    var members: [(String, Value)] = [
      ("nodeId", .string(id)), ("ignored", .bool(ignored)),
      ("role", .object(["value": .string(role)])), ("name", .object(["value": .string(name)])),
      ("childIds", .list(children.map { .string($0) })),
      (
        "properties",
        .list(
          properties.map { .object(["name": .string($0), "value": .object(["value": $1])]) })
      ),
    ]
    if let parent { members.append(("parentId", .string(parent))) }
    return .map(ValueMap(members))
  }

  private func rows(_ nodes: [Value]) throws -> [String] {
    try AccessibleNode.rows(ofTree: .object(["nodes": .list(nodes)])).map { "\($0.encoded)" }
  }

  @Test func `nodes come in the order of the page, without layout and repeated names`() throws {
    let tree = [
      node("1", "RootWebArea", "Notes", children: ["2", "5"]),
      node("2", in: "1", "generic", children: ["3"], ignored: true),
      node(
        "5", in: "1", "button", "Add", children: ["6", "7"], properties: ["focusable": .bool(true)]),
      node("3", in: "2", "heading", "Milk", children: ["4"], properties: ["level": .int(2)]),
      node("6", in: "5", "StaticText", "Add", children: ["8"]),
      node("7", in: "5", "StaticText", "it"),
      node("4", in: "3", "StaticText", "Milk"),
      node("8", in: "6", "InlineTextBox", "Add"),
    ]

    #expect(
      try rows(tree) == [
        #"{role: "RootWebArea", name: "Notes", level: null, focusable: false}"#,
        #"{role: "heading", name: "Milk", level: 2, focusable: false}"#,
        #"{role: "button", name: "Add", level: null, focusable: true}"#,
        #"{role: "StaticText", name: "it", level: null, focusable: false}"#,
      ])
  }

  @Test func `a tree that leads back to itself ends`() throws {
    let tree = [
      node("1", "RootWebArea", "a", children: ["2", "2", "1", "none"]),
      node("2", in: "1", "button", "b", children: ["1", "2"]), .null, .object(["nodeId": .int(1)]),
    ]

    #expect(try rows(tree).count < 5)
  }

  @Test func `a tree has 10,000 rows at most`() throws {
    let names = (2...10_100).map(String.init)
    let tree =
      [node("1", "list", children: names)] + names.map { node($0, in: "1", "listitem", $0) }

    #expect(try rows(tree).count == 10_000)
  }

  @Test(arguments: [Value.null, .list([]), .object([:]), .object(["nodes": .int(1)])])
  func `what is not a tree is refused`(_ answer: Value) {
    #expect(throws: BrowserError.self) { try AccessibleNode.rows(ofTree: answer) }
  }
}
