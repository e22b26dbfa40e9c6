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

  @Test(arguments: [
    Row("no loop", "spend#1", Address(path: "spend", iterations: [1])),
    Row("two loops", "rows/cell#2.5", Address(path: "rows/cell", iterations: [2, 5])),
  ])
  func `an address is read as it is printed`(_ row: Row<String, Address>) {
    #expect(Address(row.input) == row.expected)
  }

  @Test(arguments: ["spend", "spend#a", "spend#1.a"])
  func `other texts are no addresses`(_ text: String) {
    #expect(Address(text) == nil)
  }

  @Test(arguments: [
    Row("the step itself", Address(path: "rows", iterations: [2]), true),
    Row("inside", Address(path: "rows/cell", iterations: [2, 5]), true),
    Row("another iteration", Address(path: "rows/cell", iterations: [3, 2]), false),
    Row("a name that begins alike", Address(path: "rows2/cell", iterations: [2]), false),
    Row("around", Address(path: "row", iterations: [2]), false),
  ])
  func `an address belongs to the steps around it`(_ row: Row<Address, Bool>) {
    #expect(row.input.belongs(to: Address(path: "rows", iterations: [2])) == row.expected)
  }

  @Test func `a step is in a 'finally' inside of the steps around that`() {
    let address = Address(path: "shop/finally/browse/page")

    #expect(address.isInFinally())
    #expect(address.isInFinally(inside: Address(path: "shop")))
    #expect(!address.isInFinally(inside: Address(path: "shop/finally/browse")))
    #expect(!Address(path: "shop/finallyish/page").isInFinally())
  }
}
