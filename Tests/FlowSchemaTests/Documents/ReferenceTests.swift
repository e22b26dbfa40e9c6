import FlowCore
import FlowSchema
import Testing

@Suite struct ReferenceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let base: String
    let reference: String
    let target: String
    var testDescription: String { "\(base) + \(reference)" }

    init(_ base: String, _ reference: String, _ target: String) {
      (self.base, self.reference, self.target) = (base, reference, target)
    }
  }

  // RFC 3986, section 5.4, and paths of files.
  static let cases = [
    Case("http://a/b/c/d;p?q", "g:h", "g:h"),
    Case("http://a/b/c/d;p?q", "g", "http://a/b/c/g"),
    Case("http://a/b/c/d;p?q", "./g", "http://a/b/c/g"),
    Case("http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"),
    Case("http://a/b/c/d;p?q", "/g", "http://a/g"),
    Case("http://a/b/c/d;p?q", "//g", "http://g"),
    Case("http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"),
    Case("http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y"),
    Case("http://a/b/c/d;p?q", "..", "http://a/b/"),
    Case("http://a/b/c/d;p?q", "../../../g", "http://a/g"),
    Case("http://a/b/c/d;p?q", "/./g/../h", "http://a/h"),
    Case("http://a", "g", "http://a/g"),
    Case("schemas/order.json", "item.json", "schemas/item.json"),
    Case("schemas/order.json", "../item.json", "item.json"),
    Case("schemas/order.json", "../../item.json", "../item.json"),
    Case("../order.json", "../parts/./item.json", "../../parts/item.json"),
    Case("../order.json", "item.json", "../item.json"),
    Case("order.json", "item.json", "item.json"),
    Case("urn:uuid:1", "urn:uuid:2", "urn:uuid:2"),
  ]

  @Test(arguments: cases)
  func `a reference is relative to the document around it`(_ testCase: Case) throws {
    let schema = try Schema(
      text: #"{"$ref": "\#(testCase.reference)"}"#, uri: testCase.base,
      [testCase.target: #"{"const": "found"}"#])

    #expect(try schema.accepts(.string("found")))
    #expect(try !schema.accepts(.null))
  }

  @Test func `a part of a document is a schema, by pointer or anchor`() throws {
    var documents = SchemaDocuments()
    documents["a.json#"] = try json(
      #"{"$defs": {"b%c": {"type": "null"}, "d": {"$anchor": "e", "type": "string"}}}"#)

    #expect(try Schema("a.json#/$defs/b%25c", in: documents).accepts(.null))
    #expect(try !Schema("a.json#e", in: documents).accepts(.null))
    #expect(documents.uris == ["a.json"])
  }

  @Test func `a document is found by the URI that it declares`() throws {
    let schema = try Schema(
      text: #"{"$ref": "https://a.example/item"}"#,
      ["files/item.json": #"{"$id": "https://a.example/item", "type": "null"}"#])

    #expect(try schema.accepts(.null))
    #expect(try !schema.accepts(.int(1)))
  }

  /// A tuple by a list in `items`, as draft 7 has it and draft 2020-12 has not.
  private static let tuple = #"{"items": [{"type": "null"}]}"#

  @Test(arguments: [
    ("http://json-schema.org/draft-07/schema#", "{}", true),
    ("http://json-schema.org/draft-07/schema#", #"{"$ref": "tuple.json"}"#, true),
    (
      "https://json-schema.org/draft/2020-12/schema", #"{"prefixItems": [{"type": "null"}]}"#, false
    ),
  ])
  func `a document without '$schema' has the draft of the one that refers to it`(
    _ draft: String, _ other: String, _ isTuple: Bool
  ) throws {
    let schema = try Schema(
      text: #"{"$schema": "\#(draft)", "allOf": [{"$ref": "other.json"}]}"#,
      ["other.json": isTuple && other == "{}" ? Self.tuple : other, "tuple.json": Self.tuple])

    #expect(try schema.accepts(.list([.null])))
    #expect(try !schema.accepts(.list([.int(1)])))
  }

  @Test func `a document with '$schema' keeps its draft`() throws {
    let schema = try Schema(
      text: """
        {"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{"$ref": "other.json"}]}
        """,
      [
        "other.json": """
        {"$schema": "https://json-schema.org/draft/2020-12/schema",
         "prefixItems": [{"type": "null"}]}
        """
      ])

    #expect(try !schema.accepts(.list([.int(1)])))
  }

  @Test func `a dynamic reference takes the outermost schema of its name`() throws {
    let tree = """
      {"$id": "tree", "$dynamicAnchor": "node", "type": "object",
       "properties": {"children": {"items": {"$dynamicRef": "#node"}}}}
      """
    let strict = try Schema(
      text: """
        {"$id": "strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false}
        """, ["tree": tree])
    let value = #"{"children": [{"chidren": []}]}"#

    let report = try strict.report(value)

    #expect(report == "/children/0/chidren: 'chidren' is not allowed")
    #expect(try Schema(text: tree).report(value) == "")
  }

  @Test(arguments: [
    "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2020-12/meta/core",
    "https://json-schema.org/draft/2020-12/meta/applicator",
    "https://json-schema.org/draft/2020-12/meta/unevaluated",
    "https://json-schema.org/draft/2020-12/meta/validation",
    "https://json-schema.org/draft/2020-12/meta/meta-data",
    "https://json-schema.org/draft/2020-12/meta/format-annotation",
    "https://json-schema.org/draft/2020-12/meta/format-assertion",
    "https://json-schema.org/draft/2020-12/meta/content",
  ])
  func `a metaschema is always there, and knows its own keywords`(_ uri: String) throws {
    let schema = try Schema(uri, in: SchemaDocuments())

    #expect(schema.unknownKeywords.map(\.description) == [])
    #expect(try !schema.accepts(.int(1)))
    #expect(try schema.accepts(.bool(true)))
  }
}
