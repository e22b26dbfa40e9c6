import FlowCore
import FlowTesting
import Testing

@Suite struct ShelfTests {
  @Test func `the shelf adds, removes and refuses`() async throws {
    let shelf = try await OpenComponent(Shelf.self)

    let texts = [
      await shelf.text("put", ["item": "lamp", "count": 2]),
      await shelf.text("take", ["item": "lamp"]),
      await shelf.text("take", ["item": "lamp", "count": 3]),
      await shelf.text("put", ["item": "lamp", "count": 0]),
    ]

    #expect(
      texts == [
        "{left: 2}", "{left: 1}", "missing: there are too few of 'lamp'",
        "invalid: the count 0 is not between 1 and 1000",
      ])
  }
}
