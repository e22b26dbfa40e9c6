extension ExpressionPage {
  /// Everything that the page explains; its test says what is missing.
  static let sections = [
    Section(title: "Operators", entries: operators),
    Section(title: "Lists and maps", entries: lists),
    Section(title: "Texts", entries: texts), Section(title: "Numbers", entries: numbers),
    Section(title: "Time", entries: times), Section(title: "Types", entries: types),
    Section(title: "What may be absent", entries: optionals),
    Section(title: "Others", entries: others),
  ]

  private static let operators = [
    Entry("==", "Whether both are equal.", "[1, 2] == [1, 2]", "A == A -> bool"),
    Entry("!=", "Whether they differ.", "'a' != 'b'", "A != A -> bool"),
    Entry("<", "Whether the left one comes first.", "'a' < 'b'"),
    Entry("<=", "Whether the left one comes first, or both are equal.", "2 <= 2"),
    Entry(">", "Whether the left one comes later.", "2.50 > decimal('2.5')"),
    Entry(
      ">=", "Whether the left one comes later, or both are equal.",
      "duration('1m') >= duration('60s')"),
    Entry(
      "in", "Whether a list has the element, a map the key, a record the field.", "2 in [1, 2]",
      "A in list(A) -> bool", "A in map(A, B) -> bool", "string in record -> bool"),
    Entry("+", "The sum; texts, bytes and lists are joined.", "[1] + [2, 3]"),
    Entry("-", "The difference, or the opposite.", "decimal('0.3') - 0.1"),
    Entry("*", "The product.", "decimal('12.50') * 3"),
    Entry(
      "/",
      "The quotient; that of whole numbers is cut to a whole number, and one of decimals must have an end.",
      "7 / 2"),
    Entry("%", "The remainder, with the sign of the left one.", "-7 % 3"),
    Entry(
      "&&", "Whether both hold; false decides, even if the other one fails.",
      "false && 1 / 0 == 1", "bool && bool -> bool"),
    Entry(
      "||", "Whether one of them holds; true decides, even if the other one fails.",
      "1 / 0 == 1 || true", "bool || bool -> bool"),
    Entry("!", "The opposite.", "!false"),
    Entry(
      "?:", "The first value if the condition holds, else the second.", "1 < 2 ? 'yes' : 'no'",
      "bool ? A : A -> A"),
    Entry(
      ".", "The field of a name; an error if there is none.", "{'a': 1}.a",
      "record.name -> A", "map(string, A).name -> A"),
    Entry(
      "[]", "The element at an index from 0, or of a key; an error if there is none.",
      "['a', 'b'][1]", "list(A)[int] -> A", "map(A, B)[A] -> B", "record[string] -> A"),
    Entry(
      ".?", "The field of a name, if there is one.", "{'a': 1}.?b.orValue(0)",
      "record.?name -> optional(A)", "map(string, A).?name -> optional(A)"),
    Entry(
      "[?]", "The element at an index, or of a key, if there is one.", "['a'][?3]",
      "list(A)[?int] -> optional(A)", "map(A, B)[?A] -> optional(B)"),
    Entry(
      "[...]", "A list; an element after '?' is left out if it is absent.",
      "[1, ?optional.none(), 3]", "[A, ?optional(A)] -> list(A)"),
    Entry(
      "{...}", "A map; an entry after '?' is left out if it is absent.",
      "{'a': 1, ?'b': optional.of(2)}", "{A: B, ?A: optional(B)} -> map(A, B)"),
  ]

  private static let lists = [
    Entry("size", "How many elements, entries, characters or bytes there are.", "[1, 2].size()"),
    Entry(
      "all", "Whether the condition holds for every element or key.", "[1, 2].all(x, x > 0)",
      "list(A).all(x, bool) -> bool", "list(A).all(i, x, bool) -> bool",
      "map(A, B).all(k, bool) -> bool", "map(A, B).all(k, v, bool) -> bool"),
    Entry(
      "exists", "Whether it holds for one at least.", "{'a': 1}.exists(k, v, v == 1)",
      "list(A).exists(x, bool) -> bool", "list(A).exists(i, x, bool) -> bool",
      "map(A, B).exists(k, bool) -> bool", "map(A, B).exists(k, v, bool) -> bool"),
    Entry(
      "existsOne", "Whether it holds for exactly one.", "[1, 2].existsOne(x, x > 1)",
      "list(A).existsOne(x, bool) -> bool", "list(A).existsOne(i, x, bool) -> bool",
      "map(A, B).existsOne(k, bool) -> bool", "map(A, B).existsOne(k, v, bool) -> bool"),
    Entry(
      "exists_one", "The same as `existsOne`.", "[1, 1].exists_one(x, x == 1)",
      "list(A).exists_one(x, bool) -> bool", "list(A).exists_one(i, x, bool) -> bool",
      "map(A, B).exists_one(k, bool) -> bool", "map(A, B).exists_one(k, v, bool) -> bool"),
    Entry(
      "filter", "The elements, or keys, for which the condition holds.",
      "[1, 2, 3].filter(x, x > 1)", "list(A).filter(x, bool) -> list(A)",
      "map(A, B).filter(k, bool) -> list(A)"),
    Entry(
      "map", "The results for all elements or keys, or for those for which a condition holds.",
      "[1, 2, 3].map(x, x > 1, x * 2)", "list(A).map(x, B) -> list(B)",
      "list(A).map(x, bool, B) -> list(B)", "map(A, B).map(k, B) -> list(B)",
      "map(A, B).map(k, bool, B) -> list(B)"),
    Entry(
      "transformList", "The same with the index or the key beside the value.",
      "[4, 5].transformList(i, x, i * x)", "list(A).transformList(i, x, B) -> list(B)",
      "list(A).transformList(i, x, bool, B) -> list(B)",
      "map(A, B).transformList(k, v, B) -> list(B)",
      "map(A, B).transformList(k, v, bool, B) -> list(B)"),
    Entry(
      "transformMap", "A map with the results for all values.",
      "{'a': 1}.transformMap(k, v, v + 1)",
      "list(A).transformMap(i, x, B) -> map(int, B)",
      "list(A).transformMap(i, x, bool, B) -> map(int, B)",
      "map(A, B).transformMap(k, v, B) -> map(A, B)",
      "map(A, B).transformMap(k, v, bool, B) -> map(A, B)"),
    Entry(
      "transformMapEntry", "A map of the resulting entries; a key twice is an error.",
      "{'a': 'x'}.transformMapEntry(k, v, {v: k})",
      "list(A).transformMapEntry(i, x, map(A, B)) -> map(A, B)",
      "list(A).transformMapEntry(i, x, bool, map(A, B)) -> map(A, B)",
      "map(A, B).transformMapEntry(k, v, map(A, B)) -> map(A, B)",
      "map(A, B).transformMapEntry(k, v, bool, map(A, B)) -> map(A, B)"),
    Entry("sort", "The elements in ascending order.", "[3, 1, 2].sort()"),
    Entry(
      "sortBy", "The elements in the order of their results.",
      "['ccc', 'a', 'bb'].sortBy(x, x.size())", "list(A).sortBy(x, B) -> list(A)"),
    Entry(
      "reverse", "The elements, or characters, from the last to the first.", "[1, 2].reverse()"),
    Entry("distinct", "The elements without repetitions.", "[1, 2, 1].distinct()"),
    Entry(
      "flatten", "The elements of the lists inside, one level deep or as many as said.",
      "[[1], [2, 3]].flatten()"),
    Entry("slice", "The elements from an index up to another.", "[1, 2, 3, 4].slice(1, 3)"),
    Entry("first", "The first element, if there is one.", "[1, 2].first()"),
    Entry("last", "The last element, if there is one.", "[].last()"),
    Entry("lists.range", "That many whole numbers, from 0.", "lists.range(3)"),
    Entry(
      "join", "The texts one after another, with another text between them.", "['a', 'b'].join('-')"
    ),
  ]

  private static let texts = [
    Entry("contains", "Whether the text has another one in it.", "'shop'.contains('ho')"),
    Entry("startsWith", "Whether it begins with another one.", "'shop'.startsWith('sh')"),
    Entry("endsWith", "Whether it ends with another one.", "'shop'.endsWith('op')"),
    Entry(
      "matches",
      "Whether a [regular expression](scenario-format.md#patterns) matches a part of the text.",
      "'2026-01-02'.matches('^[0-9]{4}-')"),
    Entry("charAt", "The character at an index from 0; empty at the end.", "'shop'.charAt(1)"),
    Entry(
      "indexOf", "The first index of another text, from an index on; -1 if it is not there.",
      "'banana'.indexOf('an', 2)"),
    Entry(
      "lastIndexOf", "The last index of another text, up to an index; -1 if it is not there.",
      "'banana'.lastIndexOf('an')"),
    Entry(
      "substring", "The characters from an index, up to another or the end.",
      "'shop'.substring(1, 3)"),
    Entry(
      "replace",
      "The text with another one in the place of a part, every time or as often as said.",
      "'banana'.replace('a', 'o', 2)"),
    Entry(
      "split", "The parts between separators, at most as many as the limit.",
      "'a,b,c'.split(',')"),
    Entry("trim", "The text without the blanks around it.", "' shop '.trim()"),
    Entry("lowerAscii", "The text with the letters A to Z in lower case.", "'Shop'.lowerAscii()"),
    Entry("upperAscii", "The text with the letters a to z in upper case.", "'Shop'.upperAscii()"),
    Entry(
      "format", "The text with values for `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X` in it.",
      "'%s: %.2f'.format(['total', 12.5])"),
    Entry("strings.quote", "The text in double quotes, with escapes.", #"strings.quote('a "b"')"#),
  ]

  private static let numbers = [
    Entry("math.abs", "The number without its sign.", "math.abs(-2)"),
    Entry("math.sign", "-1, 0 or 1, as the number is.", "math.sign(-2.5)"),
    Entry("math.ceil", "The next whole number upwards.", "math.ceil(1.2)"),
    Entry("math.floor", "The next whole number downwards.", "math.floor(-1.2)"),
    Entry(
      "math.round", "The nearest whole number, halves away from 0.", "math.round(decimal('2.5'))"),
    Entry("math.trunc", "The number without its fraction.", "math.trunc(-1.8)"),
    Entry("math.sqrt", "The square root.", "math.sqrt(81)"),
    Entry(
      "math.greatest", "The greatest of the numbers, or of the elements of a list.",
      "math.greatest(1, 3, 2)", "math.greatest(A, ...) -> A", "math.greatest(list(A)) -> A"),
    Entry(
      "math.least", "The least of the numbers, or of the elements of a list.",
      "math.least([3, 1, 2])", "math.least(A, ...) -> A", "math.least(list(A)) -> A"),
    Entry("math.isNaN", "Whether it is not a number.", "math.isNaN(0.0 / 0.0)"),
    Entry("math.isInf", "Whether it is infinite.", "math.isInf(1.0 / 0.0)"),
    Entry("math.isFinite", "Whether it is neither infinite nor NaN.", "math.isFinite(1.0)"),
    Entry("math.bitAnd", "The bits that both have.", "math.bitAnd(6, 3)"),
    Entry("math.bitOr", "The bits that one of them has.", "math.bitOr(6, 3)"),
    Entry("math.bitXor", "The bits that exactly one has.", "math.bitXor(6, 3)"),
    Entry("math.bitNot", "Every bit inverted.", "math.bitNot(6)"),
    Entry(
      "math.bitShiftLeft", "The bits moved left by that many places.", "math.bitShiftLeft(1, 4)"),
    Entry(
      "math.bitShiftRight", "The bits moved right by that many places, filled with zeros.",
      "math.bitShiftRight(16, 2)"),
  ]

  private static let times = [
    time("getFullYear", "The year."), time("getMonth", "The month, from 0."),
    time("getDate", "The day of the month, from 1."),
    time("getDayOfMonth", "The day of the month, from 0."),
    time("getDayOfWeek", "The day of the week, from 0 for Sunday."),
    time("getDayOfYear", "The day of the year, from 0."),
    time("getHours", "The hour of the day; all hours of a duration."),
    time("getMinutes", "The minute of the hour; all minutes of a duration."),
    time("getSeconds", "The second of the minute; all seconds of a duration."),
    time("getMilliseconds", "The milliseconds beyond whole seconds."),
  ]

  private static func time(_ name: String, _ summary: String) -> Entry {
    Entry(name, summary, "timestamp('2026-01-02T23:04:05.678Z').\(name)('+01:00')")
  }

  private static let types = [
    Entry("type", "The type of a value, to compare with its name.", "type(1) == int"),
    Entry("dyn", "The same value, with a type that is known only at run time.", "[dyn(1), 'a']"),
    Entry("bool", "The truth value that a text spells.", "bool('true')"),
    Entry(
      "int", "The whole number; a fraction is cut off, a timestamp becomes its seconds since 1970.",
      "int(2.9)"),
    Entry("uint", "The whole number without a sign.", "uint('7')"),
    Entry("double", "The binary floating-point number.", "double('1e3')"),
    Entry("decimal", "The exact number.", "decimal('12.50') + 0.1"),
    Entry("string", "The text of the value; of bytes, their UTF-8.", "string(12.50)"),
    Entry("bytes", "The bytes of a text in UTF-8.", "bytes('é').size()"),
    Entry(
      "timestamp", "The instant of a text (RFC 3339), or of a number of seconds since 1970.",
      "timestamp('2026-01-02T03:04:05Z')"),
    Entry("duration", "The span of time of a text.", "duration('1h30m')"),
  ]

  private static let optionals = [
    Entry(
      "has", "Whether a map or a record has the field, or a step was run: `has(steps.page)`.",
      "has({'a': 1}.b)", "has(record.name) -> bool", "has(map(string, A).name) -> bool"),
    Entry("optional.of", "An optional with the value in it.", "optional.of(1)"),
    Entry("optional.none", "An optional without a value.", "optional.none()"),
    Entry(
      "optional.ofNonZeroValue",
      "The same as `optional.of`, but nothing for 0, false, null and what is empty.",
      "optional.ofNonZeroValue('')"),
    Entry("hasValue", "Whether there is a value in it.", "optional.of(1).hasValue()"),
    Entry("value", "The value in it; an error if there is none.", "optional.of(1).value()"),
    Entry("orValue", "The value in it, or else another one.", "{'a': 1}.?b.orValue(2)"),
    Entry(
      "or", "The optional, or another one if it is without a value.",
      "optional.none().or(optional.of(2))"),
    Entry(
      "optMap", "The result for the value in it, if there is one.",
      "optional.of(1).optMap(x, x + 1)",
      "optional(A).optMap(x, B) -> optional(B)"),
    Entry(
      "optFlatMap", "The same, where the result is an optional itself.",
      "optional.of([1]).optFlatMap(x, x.first())",
      "optional(A).optFlatMap(x, optional(B)) -> optional(B)"),
    Entry(
      "unwrapOpt", "The values of the optionals that have one.",
      "[optional.of(1), optional.none()].unwrapOpt()"),
    Entry(
      "optional.unwrap", "The same as `unwrapOpt`.",
      "optional.unwrap([optional.of(1), optional.none()])"),
  ]

  private static let others = [
    Entry(
      "json", "The value of a [JSON text](scenario-format.md#json-in-a-text).",
      #"json('{"items": [{"price": 12.50}]}').items[0].price"#),
    Entry("base64.encode", "The bytes in base 64.", "base64.encode(b'shop')"),
    Entry("base64.decode", "The bytes of a text in base 64.", "string(base64.decode('c2hvcA=='))"),
    Entry(
      "cel.bind", "The last expression, in which the name stands for the value.",
      "cel.bind(x, 2 + 3, x * x)",
      "cel.bind(x, A, B) -> B"),
  ]
}
