import FlowSystem
import Testing

/// Digests, by the test vectors of their definitions.
struct DigestsTests {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `MD5 has the digests of RFC 1321`(_ content: String, _ expected: String) {
    #expect(Digest.md5(Array(content.utf8)).hexadecimalText() == expected)
  }

  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
  ])
  func `SHA-1 has the digests of FIPS 180`(_ content: String, _ expected: String) {
    #expect(Digest.sha1(Array(content.utf8)).hexadecimalText() == expected)
  }

  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `HMAC has the digests of RFC 4231`(_ key: [UInt8], _ content: String, _ expected: String) {
    let digest = Digest.hmacSHA256(Array(content.utf8), key: key)

    #expect(digest.hexadecimalText() == expected)
  }

  @Test(arguments: [
    ([UInt8]([0xFB, 0xFF]), "-_8"), ([], ""), ([0], "AA"), (Array("shop".utf8), "c2hvcA"),
  ])
  func `base 64 for URLs is written without padding and read back`(
    _ bytes: [UInt8], _ expected: String
  ) {
    #expect(Base64.encodeForURL(bytes) == expected)
    #expect(Base64.decodeForURL(expected) == bytes)
  }
}
