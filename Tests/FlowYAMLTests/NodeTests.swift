import FlowSystem
import FlowYAML
import Testing

struct NodeTests {
  @Test
  func `a key finds the value whose key has the same scalars`() throws {
    let node = try parse("e\u{301}: decomposed\n\u{E9}: composed\n1: one\n'1': text\n")

    #expect(node["e\u{301}"]?.text == "decomposed")
    #expect(node["\u{E9}"]?.text == "composed")
    #expect(node["1"]?.text == "one")
    #expect(node["2"]?.text == nil)
  }

  @Test
  func `a node of one kind has no parts of another`() throws {
    let node = try parse("{scalar: a, sequence: [a], mapping: {a: b}}")

    #expect(node["scalar"]?.items.map(\.text) == [])
    #expect(node["scalar"]?["a"]?.text == nil)
    #expect(node["sequence"]?.entries.map(\.key.text) == [])
    #expect(node["sequence"]?.text == "")
    #expect(node["mapping"]?.items.count == 0)
    #expect(node["mapping"]?.isPlain == false)
  }

  @Test
  func `an alias has the content of its target and a place of its own`() throws {
    let node = try parse("a: &x {b: [1, 2]}\nc: *x\nd: &s 'text'\n*s : *s\n")

    #expect(json(node) == #"{"a":{"b":[1.0,2.0]},"c":{"b":[1.0,2.0]},"d":"text","text":"text"}"#)
    #expect(node["c"]?.isAlias == true)
    #expect(node["c"]?.kind == .mapping)
    #expect(node["c"]?.span.start == Position(line: 2, column: 4))
    #expect(node["text"]?.isPlain == false)
  }

  @Test
  func `a name given twice means the latest node before the alias`() throws {
    let node = try parse("[&a 1, *a, &a [&a 2, *a], *a]")

    #expect(json(node) == "[1.0,1.0,[2.0,2.0],2.0]")
  }

  @Test
  func `items and entries are collections in file order`() throws {
    let node = try parse("{b: [[1, 2], x, {y: z}], a: 2}")

    #expect(node.entries.map(\.key.text) == ["b", "a"])
    #expect(node.entries.first?.value.items.map(\.kind) == [.sequence, .scalar, .mapping])
    #expect(node.entries.first?.value.items.count == 3)
    #expect(node.entries.dropFirst().first?.value.scalar == .int(2))
  }

  @Test
  func `a stream has as many nodes as documents`() throws {
    let text = "# none yet\n--- a\n---\n...\n--- [b]\n"

    let nodes = try Node.all(parsing: Array(text.utf8))

    #expect(nodes.map(json) == ["\"a\"", "null", "[\"b\"]"])
    #expect(nodes.map(\.span.start.line) == [2, 4, 5])
  }

  @Test(arguments: ["", "\n\n", "# only a comment", "\u{FEFF}"])
  func `an empty stream has no nodes`(_ text: String) throws {
    #expect(try Node.all(parsing: Array(text.utf8)).isEmpty)
  }

  @Test
  func `an anchor is known in its own document only`() {
    #expect(throws: YAMLError.self) {
      try Node.all(parsing: Array("--- &a x\n--- *a\n".utf8))
    }
  }

  @Test(arguments: ["'<<': a", "\"<<\": a", "!!str <<: a", "? |-\n  <<\n: a"])
  func `a key of two angles is no merge key when it is quoted or tagged`(_ text: String) throws {
    #expect(try parse(text)["<<"]?.text == "a")
  }

  @Test
  func `a value of two angles is text`() throws {
    #expect(try parse("[<<, a: <<]").items.first?.scalar == .string)
  }

  @Test
  func `a node keeps its text alive`() throws {
    let step = try parse("steps: [{id: a}, {id: b}]")["steps"]?.items.first

    #expect(step?["id"]?.text == "a")
  }

  @Test
  func `an error carries its code, message and place`() {
    let place = Span(start: Position(line: 2, column: 1), end: Position(line: 2, column: 4))

    let error = #expect(throws: YAMLError.self) { try parse("'k': 1\n\"k\": 2\n") }

    #expect(error?.code == .duplicateKey)
    #expect(error?.message == "duplicate key 'k', first on line 1")
    #expect(error?.span == place)
    #expect(error?.mark == place.start)
  }
}
