import Testing

struct ErrorTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let text: String
    let error: String

    init(_ id: String, _ text: String, _ error: String) {
      self.id = id
      self.text = text
      self.error = error
    }

    var testDescription: String { id }
  }

  static let syntax = [
    Case(
      "unclosed sequence", "a: [1, 2\n",
      "1:9: expected ',' or ']' in the flow sequence"),
    Case(
      "unclosed sequence without a value", "a: [\n",
      "1:5: expected a value in the flow node"),
    Case(
      "unclosed sequence without a line break", "a: [",
      "1:5: expected a value in the flow node"),
    Case(
      "unclosed sequence above blank lines", "a:\n  - [\n\n  \n",
      "2:6: expected a value in the flow node"),
    Case(
      "unclosed sequence of several lines", "a: [1,\n  2\n",
      "2:4: expected ',' or ']' in the flow sequence started on line 1"),
    Case(
      "unclosed mapping", "a: {b: 1\nc: 2\n",
      "2:2: expected ',' or '}' in the flow mapping started on line 1"),
    Case(
      "unclosed quote", "a: 'one\n",
      "1:4: unexpected end of stream in the quoted scalar"),
    Case(
      "unclosed quote before a document", "a: \"one\n---\n",
      "1:4: unexpected document indicator in the quoted scalar"),
    Case(
      "second colon", "a: b: c\n",
      "1:5: a ':' is not allowed here; quote the text or check the indentation"),
    Case(
      "dash after a value", "a: - b\n",
      "1:4: a '-' is not allowed here; start the sequence on its own line"),
    Case(
      "question mark after a value", "a: ? b\n",
      "1:4: a '?' is not allowed here; quote the text or check the indentation"),
    Case(
      "bad indentation", "a: 1\n  b: 2\n",
      "2:4: a ':' is not allowed here; quote the text, or start 'b' in column 1, like 'a' on line 1"
    ),
    Case(
      "less indentation", "  a: 1\n b: 2\n",
      "2:2: expected the end of the document or '---'; start 'b' in column 3, like 'a' on line 1"),
    Case(
      "mixed sequence and mapping", "- a\nb: c\n",
      "2:1: expected a '-' in the block collection started on line 1; check the indentation"),
    Case(
      "missing colon", "a: 1\nb\nc: 2\n",
      "2:1: expected a ':' after this key"),
    Case(
      "tab indentation", "a:\n\tb: 1\n",
      "2:1: a tab cannot be used for indentation; use spaces"),
    Case(
      "at sign", "a: @b\n",
      "1:4: plain text cannot start with '@'; put it in quotes"),
    Case(
      "backquote", "a: `b`\n",
      "1:4: plain text cannot start with '`'; put it in quotes"),
    Case(
      "percent sign", "a: %b\n",
      "1:4: plain text cannot start with '%'; put it in quotes"),
    Case(
      "unknown escape", "a: \"\\q\"\n",
      #"1:5: unknown escape character in the quoted scalar; in "..." a backslash is written '\\'; in '...' it needs no escape"#
    ),
    Case(
      "bad escape digits", "a: \"\\xZZ\"\n",
      "1:7: expected a hexadecimal digit in the quoted scalar"),
    Case(
      "an emoji as JSON escapes it", "a: \"\\ud83d\\ude00\"\n",
      "1:7: the escape is not a valid character in the quoted scalar; "
        + "write the character itself, or one escape such as '\\U0001F600'"),
    Case(
      "text after the document", "a: 1\n... b\n",
      "2:5: expected the end of the document or '---'"),
    Case(
      "text after a flow collection", "[a] b\n",
      "1:5: expected the end of the document or '---'"),
    Case(
      "closing bracket alone", "]\n",
      "1:1: expected a value in the block node"),
    Case(
      "anchor on an alias", "- &a 1\n- &b *a\n",
      "2:6: expected a '-' in the block collection started on line 1"),
    Case(
      "a tab below plain text", "a: b\n\tc: 1\n",
      "2:1: a tab cannot be used for indentation; use spaces"),
    Case(
      "a tab in front of a block of text", "a: |\n \tb\n\tc\n",
      "2:2: a tab cannot be used for indentation; use spaces"),
    Case(
      "a key without a colon, above another key", "- uses a.b\n  with: {}\n",
      "1:3: expected a ':' after 'uses'"),
    Case(
      "a key without a colon, with lines between", "- uses a.b\n\n  with: {}\n",
      "1:3: expected a ':' after 'uses'"),
    Case(
      "the first key without a colon", "a:\n  b 1\n  c: 2\n",
      "2:3: expected a ':' after 'b'"),
    Case(
      "text with a colon in its third line", "a: some\n  words\n  note: this\n",
      "3:7: a ':' is not allowed here; quote the text, or start 'note' in column 1, like 'a' on line 1"
    ),
    Case(
      "a key a column too far", "- a: 1\n   b: 2\n",
      "2:5: a ':' is not allowed here; quote the text, or start 'b' in column 3, like 'a' on line 1"
    ),
    Case(
      "a key that is a column short", "- a: 1\n b: 2\n",
      "2:2: expected a '-' in the block collection started on line 1; start 'b' in column 3, like 'a' on line 1"
    ),
    Case(
      "an item a column too far", "- a: 1\n  b: 2\n - c: 3\n",
      "3:2: expected a '-' in the block collection started on line 1; start the '-' in column 1, like the one on line 1"
    ),
    Case(
      "a key between two levels", "a:\n    b: 1\n  c: 2\n",
      "3:3: expected a key in the block mapping started on line 1; start 'c' in column 5, like 'b' on line 2"
    ),
    Case(
      "text behind quotes", "a: 'b' c\nd: 1\n",
      "1:8: expected a key in the block mapping"),
    Case(
      "two anchors", "&a &b c\n",
      "1:4: expected the end of the document or '---'"),
    Case(
      "anchor without a name", "& a\n",
      "1:2: expected alphabetic or numeric character in the anchor; "
        + "'&' starts an anchor, so put text that starts with it in quotes"),
    Case(
      "a pattern of names", "a: [*.txt]\n",
      "1:6: expected alphabetic or numeric character in the alias; "
        + "'*' starts an alias, so put text that starts with it in quotes"),
    Case(
      "undeclared tag handle", "!e!a b\n",
      "1:1: undefined tag handle in the node"),
    Case(
      "version 2", "%YAML 2.0\n---\na\n",
      "1:1: only YAML 1.1 and 1.2 are supported"),
    Case(
      "version 1.3", "%YAML 1.3\n---\na\n",
      "1:1: only YAML 1.1 and 1.2 are supported"),
    Case(
      "block indicator zero", "a: |0\n",
      "1:5: an indentation indicator equal to 0 in the block scalar"),
  ]

  static let meaning = [
    Case(
      "empty text", "",
      "1:1: expected a document, found none"),
    Case(
      "only a comment", "\n# nothing\n",
      "1:1: expected a document, found none"),
    Case(
      "two documents", "a: 1\n---\nb: 2\n",
      "2:1: expected one document, found a second"),
    Case(
      "a second document that is wrong", "a\n--- [\n",
      "2:1: expected one document, found a second"),
    Case(
      "equal keys", "a: 1\nb: 2\na: 3\n",
      "3:1: duplicate key 'a', first on line 1"),
    Case(
      "equal keys in flow style", "{a: 1, 'a': 2}",
      "1:8: duplicate key 'a', first on line 1"),
    Case(
      "equal numbers", "- 16: a\n  0x10: b\n",
      "2:3: duplicate key '0x10', first on line 1"),
    Case(
      "equal floats", "1.0: a\n1e0: b\n",
      "2:1: duplicate key '1e0', first on line 1"),
    Case(
      "equal keys not a number", ".nan: a\n.NaN: b\n",
      "2:1: duplicate key '.NaN', first on line 1"),
    Case(
      "equal nulls", "~: a\nnull: b\n",
      "2:1: duplicate key 'null', first on line 1"),
    Case(
      "a key equal to an alias", "&a x: 1\n*a : 2\n",
      "2:1: duplicate key 'x', first on line 1"),
    Case(
      "equal large integers", "99999999999999999999: a\n99999999999999999999: b\n",
      "2:1: duplicate key '99999999999999999999', first on line 1"),
    Case(
      "equal keys of many", "{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, b: 2, a: 1}",
      "1:56: duplicate key 'b', first on line 1"),
    Case(
      "merge key", "a: &a {b: 1}\nc:\n  <<: *a\n",
      "3:3: merge key '<<' is not supported; write its entries out"),
    Case(
      "sequence as a key", "? [a]\n: b\n",
      "1:3: a key must be a scalar, not a sequence"),
    Case(
      "mapping as a key", "{{a: b}: c}",
      "1:2: a key must be a scalar, not a mapping"),
    Case(
      "alias of a sequence as a key", "a: &s [1]\n*s : 2\n",
      "2:1: a key must be a scalar, not a sequence"),
    Case(
      "local tag", "a: !money 12\n",
      "1:4: unknown tag '!money'; only core tags such as '!!str' are known"),
    Case(
      "tag outside the core schema", "a: !!binary YQ==\n",
      "1:4: unknown tag '!!binary'; only core tags such as '!!str' are known"),
    Case(
      "verbatim tag", "a: !<tag:example.com,2000:x> b\n",
      "1:4: unknown tag '!<tag:example.com,2000:x>'; only core tags such as '!!str' are known"),
    Case(
      "tag of another kind", "a: !!seq {}\n",
      "1:4: tag '!!seq' cannot be applied to a mapping"),
    Case(
      "scalar tag on a sequence", "!!str []\n",
      "1:1: tag '!!str' cannot be applied to a sequence"),
    Case(
      "collection tag on a scalar", "!!map a\n",
      "1:1: tag '!!map' cannot be applied to a scalar"),
    Case(
      "not an integer", "a: !!int 1.5\n",
      "1:4: '1.5' does not fit its tag '!!int'"),
    Case(
      "not a float", "a: !!float x\n",
      "1:4: 'x' does not fit its tag '!!float'"),
    Case(
      "not a boolean", "a: !!bool yes\n",
      "1:4: 'yes' does not fit its tag '!!bool'"),
    Case(
      "not null", "a: !!null 'null!'\n",
      "1:4: 'null!' does not fit its tag '!!null'"),
    Case(
      "unknown alias", "a: *b\n",
      "1:4: unknown alias '*b', no anchor before it; "
        + "'*' starts an alias, so put text that starts with it in quotes"),
    Case(
      "alias of another document's anchor", "--- &a x\n--- *a\n",
      "2:1: expected one document, found a second"),
    Case(
      "alias inside its node", "a: &x\n  b: [*x]\n",
      "2:7: alias '*x' refers to the node that contains it"),
    Case(
      "control characters of a key", "\"a\\e\\n\\tb\\u202E\": 1\n\"a\\e\\n\\tb\\u202E\": 2\n",
      "2:1: duplicate key 'a\\u{1B}\\n\\tb\\u{202E}', first on line 1"),
    Case(
      "a long key",
      "\(String(repeating: "k", count: 70)): 1\n\(String(repeating: "k", count: 70)): 2\n",
      "2:1: duplicate key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…', first on line 1"
    ),
  ]

  @Test(arguments: syntax + meaning)
  func `a wrong text is refused with its place and the reason`(_ testCase: Case) {
    #expect(failure(testCase.text) == testCase.error)
  }
}
