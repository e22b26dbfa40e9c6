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

  @Test(arguments: [
    Row("the call itself", "all#2/cart.add#1", true),
    Row("what it calls", "all#2/cart.add#1/store.put#3", true),
    Row("the step", "all#2", false),
    Row("another one of the step", "all#2/cart.add#2", false),
    Row("one of another step", "all#1/cart.add#1", false),
  ])
  func `an address belongs to the call of a component around it`(_ row: Row<String, Bool>) throws {
    let call = Address(path: "all", iterations: [2]).call("cart.add", number: 1, tag: 17)

    #expect(try #require(Address(row.input)).belongs(to: call) == row.expected)
  }

  @Test func `one that was read belongs to a call in the first iteration of a step`() throws {
    let call = Address(path: "all", iterations: []).call("cart.add", number: 1)

    #expect(try #require(Address("all#1/cart.add#1/store.put#1")).belongs(to: call))
  }

  @Test func `a step is in a 'finally' inside of the steps around that`() {
    let address = Address(path: "shop/finally/browse/page")

    #expect(address.isInFinally())
    #expect(address.isInFinally(inside: Address(path: "shop")))
    #expect(!address.isInFinally(inside: Address(path: "shop/finally/browse")))
    #expect(!Address(path: "shop/finallyish/page").isInFinally())
  }
}
