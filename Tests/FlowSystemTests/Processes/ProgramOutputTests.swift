import FlowSystem
import Testing

/// Programs of the system that are run for what they print.
@Suite struct ProgramOutputTests {
  @Test(arguments: ["plain", "two words", "it's", "$HOME", "a\"b", "", "*", "a\\b", "x\ny"])
  func `a word arrives as it is`(word: String) {
    let output = ProgramOutput(of: ["printf", "%s", word])

    #expect(output.text == word)
    #expect(output.succeeded)
  }

  @Test func `both streams are read, and a failure is told`() {
    let output = ProgramOutput(of: ["sh", "-c", "echo out; echo err >&2; exit 3"])

    #expect(output.text == "out\nerr\n")
    #expect(output.firstLine == "out")
    #expect(!output.succeeded)
  }

  @Test func `variables are added and removed`() {
    let output = ProgramOutput(
      of: ["sh", "-c", "echo \"$FLOW_A-${PATH-none}\""], without: ["FLOW_B"],
      variables: [(name: "FLOW_A", value: "it's")])

    #expect(output.text.hasPrefix("it's-/"))
    let without = ProgramOutput(of: ["/bin/sh", "-c", "echo \"${HOME-none}\""], without: ["HOME"])
    #expect(without.text == "none\n")
  }

  @Test func `what is beyond a mebibyte is dropped`() {
    let output = ProgramOutput(of: ["head", "-c", "3000000", "/dev/zero"])

    #expect(output.text.utf8.count == 1 << 20)
    #expect(output.succeeded)
  }

  @Test func `a program that is not there has failed`() {
    let output = ProgramOutput(of: ["no-such-program-of-flow"])

    #expect(!output.succeeded)
  }
}
