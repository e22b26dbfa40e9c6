extension ExpressionPage {
  /// All explanations of the page, of which its test finds missing ones.
  static let sections = [
    Section(title: "Operators", entries: operators),
    Section(title: "Lists and maps", entries: lists),
    Section(title: "Strings", entries: texts), Section(title: "Numbers", entries: numbers),
    Section(title: "Time", entries: times), Section(title: "Types", entries: types),
    Section(title: "Optional values", entries: optionals),
    Section(title: "Other functions", entries: others),
  ]

  private static let operators = [
    Entry("==", "True if both are equal.", "[1, 2] == [1, 2]", "A == A -> bool"),
    Entry("!=", "True if they differ.", "'a' != 'b'", "A != A -> bool"),
    Entry("<", "True if the left one is less, or earlier.", "'a' < 'b'"),
    Entry("<=", "True if the left one is less, or both are equal.", "2 <= 2"),
    Entry(">", "True if the left one is greater, or later.", "2.50 > decimal('2.5')"),
    Entry(
      ">=", "True if the left one is greater, or both are equal.",
      "duration('1m') >= duration('60s')"),
    Entry(
      "in", "True if the list has the element, the map has the key, or the record has the field.",
      "2 in [1, 2]",
      "A in list(A) -> bool", "A in map(A, B) -> bool", "string in record -> bool"),
    Entry("+", "The sum. Joins strings, bytes and lists.", "[1] + [2, 3]"),
    Entry("-", "The difference, or the negated number.", "decimal('0.3') - 0.1"),
    Entry("*", "The product.", "decimal('12.50') * 3"),
    Entry(
      "/",
      "The quotient. For whole numbers, the fraction is dropped. For decimals, a quotient without an exact value is an error.",
      "7 / 2"),
    Entry("%", "The remainder, with the sign of the left number.", "-7 % 3"),
    Entry(
      "&&", "True if both are true. If one is false, an error in the other one is ignored.",
      "false && 1 / 0 == 1", "bool && bool -> bool"),
    Entry(
      "||", "True if at least one is true. If one is true, an error in the other one is ignored.",
      "1 / 0 == 1 || true", "bool || bool -> bool"),
    Entry("!", "True for false, and false for true.", "!false"),
    Entry(
      "?:", "The first value if the condition is true, otherwise the second.",
      "1 < 2 ? 'yes' : 'no'",
      "bool ? A : A -> A"),
    Entry(
      ".", "The field with this name. An error if there is none.", "{'a': 1}.a",
      "record.name -> A", "map(string, A).name -> A"),
    Entry(
      "[]", "The element at an index from 0, or the value of a key. An error if there is none.",
      "['a', 'b'][1]", "list(A)[int] -> A", "map(A, B)[A] -> B", "record[string] -> A"),
    Entry(
      ".?", "An optional with the field, empty if there is none.", "{'a': 1}.?b.orValue(0)",
      "record.?name -> optional(A)", "map(string, A).?name -> optional(A)"),
    Entry(
      "[?]",
      "An optional with the element at an index, or the value of a key. Empty if there is none.",
      "['a'][?3]",
      "list(A)[?int] -> optional(A)", "map(A, B)[?A] -> optional(B)"),
    Entry(
      "[...]", "A list. An element after '?' is left out if it is an empty optional.",
      "[1, ?optional.none(), 3]", "[A, ?optional(A)] -> list(A)"),
    Entry(
      "{...}", "A map. An entry after '?' is left out if its value is an empty optional.",
      "{'a': 1, ?'b': optional.of(2)}", "{A: B, ?A: optional(B)} -> map(A, B)"),
  ]

  private static let lists = [
    Entry("size", "The number of elements, entries, characters or bytes.", "[1, 2].size()"),
    Entry(
      "all", "True if the condition is true for all elements or keys.", "[1, 2].all(x, x > 0)",
      "list(A).all(x, bool) -> bool", "list(A).all(i, x, bool) -> bool",
      "map(A, B).all(k, bool) -> bool", "map(A, B).all(k, v, bool) -> bool"),
    Entry(
      "exists", "True if the condition is true for at least one element or key.",
      "{'a': 1}.exists(k, v, v == 1)",
      "list(A).exists(x, bool) -> bool", "list(A).exists(i, x, bool) -> bool",
      "map(A, B).exists(k, bool) -> bool", "map(A, B).exists(k, v, bool) -> bool"),
    Entry(
      "existsOne", "True if the condition is true for exactly one element or key.",
      "[1, 2].existsOne(x, x > 1)",
      "list(A).existsOne(x, bool) -> bool", "list(A).existsOne(i, x, bool) -> bool",
      "map(A, B).existsOne(k, bool) -> bool", "map(A, B).existsOne(k, v, bool) -> bool"),
    Entry(
      "exists_one", "The same as `existsOne`.", "[1, 1].exists_one(x, x == 1)",
      "list(A).exists_one(x, bool) -> bool", "list(A).exists_one(i, x, bool) -> bool",
      "map(A, B).exists_one(k, bool) -> bool", "map(A, B).exists_one(k, v, bool) -> bool"),
    Entry(
      "filter", "The elements or keys that satisfy the condition.",
      "[1, 2, 3].filter(x, x > 1)", "list(A).filter(x, bool) -> list(A)",
      "map(A, B).filter(k, bool) -> list(A)"),
    Entry(
      "map", "The results for all elements or keys, or only for those that satisfy a condition.",
      "[1, 2, 3].map(x, x > 1, x * 2)", "list(A).map(x, B) -> list(B)",
      "list(A).map(x, bool, B) -> list(B)", "map(A, B).map(k, B) -> list(B)",
      "map(A, B).map(k, bool, B) -> list(B)"),
    Entry(
      "transformList", "The results as a list, with the index or key available beside the value.",
      "[4, 5].transformList(i, x, i * x)", "list(A).transformList(i, x, B) -> list(B)",
      "list(A).transformList(i, x, bool, B) -> list(B)",
      "map(A, B).transformList(k, v, B) -> list(B)",
      "map(A, B).transformList(k, v, bool, B) -> list(B)"),
    Entry(
      "transformMap", "A map with the same keys and the result for each value.",
      "{'a': 1}.transformMap(k, v, v + 1)",
      "list(A).transformMap(i, x, B) -> map(int, B)",
      "list(A).transformMap(i, x, bool, B) -> map(int, B)",
      "map(A, B).transformMap(k, v, B) -> map(A, B)",
      "map(A, B).transformMap(k, v, bool, B) -> map(A, B)"),
    Entry(
      "transformMapEntry", "A map of all entries in the results. A repeated key is an error.",
      "{'a': 'x'}.transformMapEntry(k, v, {v: k})",
      "list(A).transformMapEntry(i, x, map(A, B)) -> map(A, B)",
      "list(A).transformMapEntry(i, x, bool, map(A, B)) -> map(A, B)",
      "map(A, B).transformMapEntry(k, v, map(A, B)) -> map(A, B)",
      "map(A, B).transformMapEntry(k, v, bool, map(A, B)) -> map(A, B)"),
    Entry("sort", "The elements in ascending order.", "[3, 1, 2].sort()"),
    Entry(
      "sortBy", "The elements sorted by their results.",
      "['ccc', 'a', 'bb'].sortBy(x, x.size())", "list(A).sortBy(x, B) -> list(A)"),
    Entry(
      "reverse", "The elements or characters in reverse order.", "[1, 2].reverse()"),
    Entry("distinct", "The elements without duplicates.", "[1, 2, 1].distinct()"),
    Entry(
      "flatten", "The elements of the inner lists, one level deep or as many levels as given.",
      "[[1], [2, 3]].flatten()"),
    Entry(
      "slice", "The elements from one index up to another, without the latter.",
      "[1, 2, 3, 4].slice(1, 3)"),
    Entry(
      "first", "An optional with the first element. Empty for an empty list.", "[1, 2].first()"),
    Entry("last", "An optional with the last element. Empty for an empty list.", "[].last()"),
    Entry(
      "part",
      "The same as `slice`, with indices outside of the list at its nearest end. A negative index counts from the end.",
      "[1, 2, 3].part(-2, 9)"),
    Entry("unique", "The same as `distinct`.", "['b', 'a', 'b'].unique()"),
    Entry(
      "sum", "The sum of the elements, which have one type. 0 for an empty list.",
      "[1, 2, 3].sum()"),
    Entry(
      "descendants",
      "The value itself and all values inside of its lists and maps, outer ones first.",
      "descendants({'a': [1, 2]})"),
    Entry(
      "merge",
      "The entries of both maps. The second map's value counts for a key of both. Records give a record.",
      "{'a': 1, 'b': 2}.merge({'b': 3})"),
    Entry("lists.range", "A list of whole numbers from 0, of this length.", "lists.range(3)"),
    Entry(
      "join", "The strings joined, with a separator between them.", "['a', 'b'].join('-')"
    ),
  ]

  private static let texts = [
    Entry("contains", "True if the string contains another one.", "'shop'.contains('ho')"),
    Entry("startsWith", "True if the string starts with another one.", "'shop'.startsWith('sh')"),
    Entry("endsWith", "True if the string ends with another one.", "'shop'.endsWith('op')"),
    Entry(
      "matches",
      "True if a [regular expression](scenario-format.md#patterns) matches a part of the string.",
      "'2026-01-02'.matches('^[0-9]{4}-')"),
    Entry(
      "regex.extract",
      "An optional with the first part that matches a regular expression, or with its group if it has one. Empty if no part matches.",
      "regex.extract('id: 42', 'id: ([0-9]+)')"),
    Entry(
      "regex.extractAll", "All parts that match, or their groups.",
      "regex.extractAll('a1 b22', '[a-z]([0-9]+)')"),
    Entry(
      "xml",
      "The texts at a path of XPath 1.0 in a document of XML, with the prefixes that it declares. `_` is the prefix of a namespace without one. If a prefix is declared several times, the first namespace counts.",
      "xml('<a><b>1</b><b>2</b></a>', '//b')"),
    Entry(
      "html",
      "The texts of the elements that a selector of CSS chooses in a page. `::text` at its end chooses their own texts, ` ::text` those of the elements in them, `::attr(href)` an attribute.",
      "html('<p><a href=x>next</a>', 'p > a::attr(href)')"),
    Entry(
      "charAt", "The character at an index from 0. Empty at the end of the string.",
      "'shop'.charAt(1)"),
    Entry(
      "indexOf", "The first index of another string, from an index on. -1 if it is not found.",
      "'banana'.indexOf('an', 2)"),
    Entry(
      "lastIndexOf", "The last index of another string, up to an index. -1 if it is not found.",
      "'banana'.lastIndexOf('an')"),
    Entry(
      "substring", "The characters from one index up to another or the end.",
      "'shop'.substring(1, 3)"),
    Entry(
      "replace",
      "The string with a part replaced, everywhere or up to a number of times.",
      "'banana'.replace('a', 'o', 2)"),
    Entry(
      "split", "The parts between separators, up to a limit.",
      "'a,b,c'.split(',')"),
    Entry("trim", "The string without white space at the start and end.", "' shop '.trim()"),
    Entry("lowerAscii", "The string with the letters A to Z in lower case.", "'Shop'.lowerAscii()"),
    Entry("upperAscii", "The string with the letters a to z in upper case.", "'Shop'.upperAscii()"),
    Entry(
      "format",
      "The string with values in place of `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X`.",
      "'%s: %.2f'.format(['total', 12.5])"),
    Entry(
      "strings.quote", "The string in double quotes, with escapes.", #"strings.quote('a "b"')"#),
  ]

  private static let numbers = [
    Entry("math.abs", "The absolute value.", "math.abs(-2)"),
    Entry(
      "math.sign", "-1, 0 or 1 for a negative number, zero or a positive number.", "math.sign(-2.5)"
    ),
    Entry("math.ceil", "The number rounded up to a whole number.", "math.ceil(1.2)"),
    Entry("math.floor", "The number rounded down to a whole number.", "math.floor(-1.2)"),
    Entry(
      "math.round", "The nearest whole number. Halves are rounded away from 0.",
      "math.round(decimal('2.5'))"),
    Entry("math.trunc", "The number without its fraction.", "math.trunc(-1.8)"),
    Entry("math.sqrt", "The square root.", "math.sqrt(81)"),
    Entry(
      "math.greatest", "The greatest of the numbers, or of the elements of a list.",
      "math.greatest(1, 3, 2)", "math.greatest(A, ...) -> A", "math.greatest(list(A)) -> A"),
    Entry(
      "math.least", "The least of the numbers, or of the elements of a list.",
      "math.least([3, 1, 2])", "math.least(A, ...) -> A", "math.least(list(A)) -> A"),
    Entry("math.isNaN", "True for NaN, which is not a number.", "math.isNaN(0.0 / 0.0)"),
    Entry("math.isInf", "True for an infinite number.", "math.isInf(1.0 / 0.0)"),
    Entry("math.isFinite", "True unless the number is infinite or NaN.", "math.isFinite(1.0)"),
    Entry("math.bitAnd", "The bits set in both numbers.", "math.bitAnd(6, 3)"),
    Entry("math.bitOr", "The bits set in at least one number.", "math.bitOr(6, 3)"),
    Entry("math.bitXor", "The bits set in exactly one number.", "math.bitXor(6, 3)"),
    Entry("math.bitNot", "The number with every bit inverted.", "math.bitNot(6)"),
    Entry(
      "math.bitShiftLeft", "The bits shifted left by this many places.", "math.bitShiftLeft(1, 4)"),
    Entry(
      "math.bitShiftRight", "The bits shifted right by this many places, filled with zeros.",
      "math.bitShiftRight(16, 2)"),
  ]

  private static let times = [
    time("getFullYear", "The year."), time("getMonth", "The month, from 0."),
    time("getDate", "The day of the month, from 1."),
    time("getDayOfMonth", "The day of the month, from 0."),
    time("getDayOfWeek", "The day of the week, from 0 for Sunday."),
    time("getDayOfYear", "The day of the year, from 0."),
    time("getHours", "The hour of the day. For a duration, all its hours."),
    time("getMinutes", "The minute of the hour. For a duration, all its minutes."),
    time("getSeconds", "The second of the minute. For a duration, all its seconds."),
    time("getMilliseconds", "The milliseconds beyond whole seconds."),
  ]

  private static func time(_ name: String, _ summary: String) -> Entry {
    Entry(name, summary, "timestamp('2026-01-02T23:04:05.678Z').\(name)('+01:00')")
  }

  private static let types = [
    Entry("type", "The type of a value, for a comparison with a type name.", "type(1) == int"),
    Entry("dyn", "The same value, with its type checked only at run time.", "[dyn(1), 'a']"),
    Entry("bool", "The bool value of a string.", "bool('true')"),
    Entry(
      "int",
      "The value as a whole number. A fraction is dropped. A timestamp becomes its seconds since 1970.",
      "int(2.9)"),
    Entry("uint", "The value as a whole number from 0.", "uint('7')"),
    Entry("double", "The value as a binary floating-point number.", "double('1e3')"),
    Entry("decimal", "The value as an exact decimal number.", "decimal('12.50') + 0.1"),
    Entry(
      "string",
      "The value as a string. Bytes are decoded as UTF-8, or by the [name of another encoding](https://encoding.spec.whatwg.org/#names-and-labels), such as `latin1`.",
      "string(12.50)"),
    Entry("bytes", "The bytes of a string in UTF-8.", "bytes('é').size()"),
    Entry(
      "timestamp", "The timestamp of a string (RFC 3339), or of a number of seconds since 1970.",
      "timestamp('2026-01-02T03:04:05Z')"),
    Entry("duration", "The duration of a string.", "duration('1h30m')"),
  ]

  private static let optionals = [
    Entry(
      "has", "True if a map or record has the field, or a step was run: `has(steps.page)`.",
      "has({'a': 1}.b)", "has(record.name) -> bool", "has(map(string, A).name) -> bool"),
    Entry("optional.of", "An optional with the value.", "optional.of(1)"),
    Entry("optional.none", "An empty optional.", "optional.none()"),
    Entry(
      "optional.ofNonZeroValue",
      "The same as `optional.of`, but an empty optional for 0, false, null and empty values.",
      "optional.ofNonZeroValue('')"),
    Entry("hasValue", "True if the optional has a value.", "optional.of(1).hasValue()"),
    Entry("value", "The value of the optional. An error if it is empty.", "optional.of(1).value()"),
    Entry(
      "orValue", "The value of the optional, or a default if it is empty.", "{'a': 1}.?b.orValue(2)"
    ),
    Entry(
      "or", "The optional, or another one if it is empty.",
      "optional.none().or(optional.of(2))"),
    Entry(
      "optMap", "An optional with the result for the value. Empty if the optional is empty.",
      "optional.of(1).optMap(x, x + 1)",
      "optional(A).optMap(x, B) -> optional(B)"),
    Entry(
      "optFlatMap", "The same as `optMap`, for a result that is already an optional.",
      "optional.of([1]).optFlatMap(x, x.first())",
      "optional(A).optFlatMap(x, optional(B)) -> optional(B)"),
    Entry(
      "unwrapOpt", "The values of the optionals in a list, without the empty ones.",
      "[optional.of(1), optional.none()].unwrapOpt()"),
    Entry(
      "optional.unwrap", "The same as `unwrapOpt`.",
      "optional.unwrap([optional.of(1), optional.none()])"),
  ]

  private static let others = [
    Entry(
      "json", "The value of a [JSON string](scenario-format.md#json-in-a-text).",
      #"json('{"items": [{"price": 12.50}]}').items[0].price"#),
    Entry(
      "matches_schema",
      "True if the value fits a [JSON Schema](scenario-format.md#schemas) of the project. The path is a literal.",
      "matches_schema({'id': 7}, 'order.schema.json')"),
    Entry(
      "toJSON", "The value as JSON. Bytes are in base 64, times and durations are strings.",
      "toJSON({'a': [1, 2.50, null]})"),
    Entry("base64.encode", "The bytes as a base 64 string.", "base64.encode(b'shop')"),
    Entry("base64.decode", "The bytes of a base 64 string.", "string(base64.decode('c2hvcA=='))"),
    Entry(
      "base64url.encode", "The bytes as a base 64 string for URLs, without padding.",
      #"base64url.encode(b'\xfb\xff')"#),
    Entry(
      "base64url.decode", "The bytes of a base 64 string for URLs.",
      "string(base64url.decode('c2hvcA'))"),
    Entry(
      "url.encodePath", "The string percent-encoded for one segment of a path.",
      "url.encodePath('a/b c')"),
    Entry(
      "url.encodeQuery",
      "The string percent-encoded for a name or a value in a query or a form.",
      "url.encodeQuery('1+1=2 & more')"),
    Entry(
      "url.decode", "The string with its percent-encoding decoded. A `+` stays.",
      "url.decode('caf%C3%A9')"),
    Entry(
      "sha256",
      "The SHA-256 digest of bytes, or of a string in UTF-8, as hexadecimal digits.",
      "sha256('abc')"),
    Entry("sha1", "The SHA-1 digest.", "sha1('abc')"),
    Entry("md5", "The MD5 digest.", "md5('abc')"),
    Entry(
      "hmac", "The HMAC with SHA-256 of a key and a content, as hexadecimal digits.",
      "hmac('key', 'The quick brown fox jumps over the lazy dog')"),
    Entry(
      "jwt.decode",
      "The `header` and the `payload` of a JSON Web Token. The signature is not checked.",
      "jwt.decode('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.').payload.sub"),
    Entry(
      "cel.bind", "The result of the last expression, with the name bound to the value.",
      "cel.bind(x, 2 + 3, x * x)",
      "cel.bind(x, A, B) -> B"),
  ]
}
