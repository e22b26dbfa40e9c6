import FlowCore
import TestKit
import Testing

/// Records of a plugin and examples in `flow list`.
@Suite struct PluginPageTests {
  @Test func `a plugin is shown with nested fields, payloads and examples, each once`()
    async throws
  {
    let run = try await FlowCommandRun(
      ["list", "shelf"], in: try TemporaryFolder(), components: [Shelf.self])

    #expect(
      run.output == """
        shelf 1.0: Keeps books.
         using
          store               Keeps the rest. Optional. Uses load, the event changed.

        shelf.put: Puts books.
         with
          books                     list(record). The books.
          books[*].title            string. Its title.
          books[*].places           map(record). By floor.
          books[*].places[*].shelf  int. Its number.
          books[*].year             int, default 1900. When.
          books[*].price            decimal. What it costs.
          note                      optional(string). A remark.
          row                       int, default 3. Where.
         answers
          title               string. Its title.
          places              map(record). By floor.
          places[*].shelf     int. Its number.
          year                int, default 1900. When.
          price               decimal. What it costs.
         example
          - uses: shelf.put
            with: {books: [{title: "...", places: {key: {shelf: 1}}, year: 1950, price: 1}], note: "new"}

        shelf.take: Takes one.
         answers, as shelf.put
         example
          - uses: shelf.take

        event shelf.moved: A book moved.
         payload
          title               string. Its title.
          places              map(record). By floor.
          places[*].shelf     int. Its number.
          year                int, default 1900. When.
          price               decimal. What it costs.

        """)
  }

  @Test func `the reference of a plugin has the same in Markdown`() async throws {
    let run = try await FlowCommandRun(
      ["help", "--markdown", "plugins"], in: try TemporaryFolder(), components: [Shelf.self])

    #expect(
      run.output == """
        | plugin |  | reaches | operations |
        |---|---|---|---|
        | [shelf](#shelf) | Keeps books. |  | [put](#shelfput), [take](#shelftake) |

        ## shelf

        Keeps books. Version 1.0.

        ### Roles of shelf

        | role | uses |  |
        |---|---|---|
        | `store` | `load` | Keeps the rest. Optional. |
        | `store` | the event `changed` | Keeps the rest. Optional. |

        ### shelf.put

        Puts books. Retry: never.

        ```yaml
        - uses: shelf.put
          with: {books: [{title: "...", places: {key: {shelf: 1}}, year: 1950, price: 1}], note: "new"}
        ```

        | input | type |  |
        |---|---|---|
        | `books` | list(record) | The books. |
        | `books[*].title` | string | Its title. |
        | `books[*].places` | map(record) | By floor. |
        | `books[*].places[*].shelf` | int | Its number. |
        | `books[*].year` | int, default 1900 | When. |
        | `books[*].price` | decimal | What it costs. |
        | `note` | optional(string) | A remark. |
        | `row` | int, default 3 | Where. |

        | answer | type |  |
        |---|---|---|
        | `title` | string | Its title. |
        | `places` | map(record) | By floor. |
        | `places[*].shelf` | int | Its number. |
        | `year` | int, default 1900 | When. |
        | `price` | decimal | What it costs. |

        ### shelf.take

        Takes one. Retry: never.

        ```yaml
        - uses: shelf.take
        ```

        The answer: as [shelf.put](#shelfput).

        ### Event shelf.moved

        A book moved.

        | payload | type |  |
        |---|---|---|
        | `title` | string | Its title. |
        | `places` | map(record) | By floor. |
        | `places[*].shelf` | int | Its number. |
        | `year` | int, default 1900 | When. |
        | `price` | decimal | What it costs. |

        """)
  }

  @Test func `a program reads nested fields and an example`() async throws {
    let run = try await FlowCommandRun(
      ["list", "shelf", "--json"], in: try TemporaryFolder(), components: [Shelf.self])

    #expect(
      run.output.contains(
        #""name":"places","type":"map(record)","required":true,"secret":false,"summary":"By floor.","#
          + #""fields":[{"name":"shelf","type":"int","required":true,"secret":false,"#
          + #""summary":"Its number."}]"#))
    #expect(run.output.contains(#""example":"- uses: shelf.take\n""#))
  }
}

/// A component with nested records, a role with two uses, and operations with shared fields.
private actor Shelf: Component {
  static let plugin = Plugin(
    "shelf", version: "1.0", "Keeps books.", state: .memory,
    uses: [store.call("load", answers: kept), store.event("changed", kept)],
    events: [EventKind("moved", "A book moved.", Book.record)],
    operations: [
      Operation(
        "put", "Puts books.", Parameter<[Book]>("books", "The books."),
        Parameter<String?>("note", "A remark.", examples: ["new"]),
        Parameter<Int>("row", "Where.", default: 3), answers: Book.record
      ) { _, _, books, _, _ in books[0] },
      Operation("take", "Takes one.", answers: Book.record) { _, _ in try Book.record.decode(.null)
      },
    ]
  ) { _ in Shelf() }
  static let kept = Record<Bool>("kept", "Whether it is.")
  static let store = Role("store", "Keeps the rest.", optional: true)
}

private struct Book: RecordRepresentable {
  var title: String
  var places: [String: Place]
  var year: Int
  var price: Decimal

  static let record = Record(
    Book.init(title:places:year:price:), Field("title", \.title, "Its title."),
    Field("places", \.places, "By floor."),
    Field("year", \.year, "When.", default: 1900, examples: [1950]),
    Field("price", \.price, "What it costs."))
}

private struct Place: RecordRepresentable {
  var shelf: Int
  static let record = Record(Place.init(shelf:), Field("shelf", \.shelf, "Its number."))
}
