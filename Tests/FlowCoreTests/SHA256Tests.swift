import FlowCore
import Testing

struct SHA256Tests {
  /// The examples of FIPS 180-4, as published by NIST's Cryptographic Standards and Guidelines.
  @Test(arguments: [
    Row(
      "nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Row(
      "one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Row(
      "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    Row(
      "two longer blocks",
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
        + "mnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    Row(
      "a million letters", String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `a digest is that of the standard`(_ row: Row<String, String>) {
    let digest = SHA256(Array(row.input.utf8))

    #expect(digest.hexadecimal == row.expected)
    #expect(digest.bytes.count == 32)
  }
}
