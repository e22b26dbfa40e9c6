import FlowCore
import Testing

struct AddressTests {
  @Test(arguments: [
    Row("no loop", Address(path: "spend"), "spend#1"),
    Row("one loop", Address(path: "browse/page", iterations: [3]), "browse/page#3"),
    Row(
      "two loops", Address(path: "rows/columns/cell", iterations: [2, 5]), "rows/columns/cell#2.5"),
    Row("the first of a loop", Address(path: "page", iterations: [1]), "page#1"),
  ])
  func `an address prints its path and occurrence`(_ row: Row<Address, String>) {
    #expect(row.input.description == row.expected)
  }
}
