import FlowCore
import GRPCCoding
import Testing

/// The parts of the wire format that need no connection.
struct CodingTests {
  @Test func `a body is split into messages wherever it is cut`() throws {
    let body = MessageFrame.bytes([1, 2, 3]) + MessageFrame.bytes([]) + MessageFrame.bytes([4])
    var found: Set<[[UInt8]]> = []

    for cut in 0...body.count {
      var frames = MessageFrames(coding: nil, limit: 3)
      var messages: [[UInt8]] = []
      for part in [body[..<cut], body[cut...]] {
        frames.append(Array(part))
        while let message = try frames.next() { messages.append(message) }
      }
      try frames.finish()
      found.insert(messages)
    }

    #expect(found == [[[1, 2, 3], [], [4]]])
  }

  struct Case: Sendable {
    let bytes: [UInt8]
    let coding: String?
    let expected: GRPCFrameError
  }

  @Test(arguments: [
    Case(bytes: [0, 0, 0, 0, 4], coding: nil, expected: .tooLarge(limit: 3)),
    Case(bytes: [0, 0xFF, 0xFF, 0xFF, 0xFF], coding: nil, expected: .tooLarge(limit: 3)),
    Case(bytes: [2, 0, 0, 0, 0], coding: nil, expected: .malformed),
    Case(bytes: [1, 0, 0, 0, 1, 7], coding: nil, expected: .noCoding),
    Case(bytes: [1, 0, 0, 0, 1, 7], coding: "snappy", expected: .unknownCoding("snappy")),
    Case(bytes: [0, 0, 0, 0, 2, 7], coding: nil, expected: .endsEarly),
  ]) func `a body that has no messages is refused`(_ test: Case) {
    var frames = MessageFrames(coding: test.coding, limit: 3)
    frames.append(test.bytes)

    #expect(throws: test.expected) {
      _ = try frames.next()
      try frames.finish()
    }
  }

  @Test(arguments: [
    ("100% ☺\n", "100%25 %E2%98%BA%0A"), ("plain", "plain"), ("", ""),
  ]) func `a message of a status is encoded and decoded`(_ text: String, _ encoded: String) {
    #expect(GRPCMessage.encoded(text) == encoded)
    #expect(GRPCMessage.decoded(encoded) == text)
  }

  @Test func `a wrong escape in a message stays as it is`() {
    #expect(GRPCMessage.decoded("50% %4 %zz") == "50% %4 %zz")
  }

  @Test(arguments: [
    (Duration.milliseconds(200), "200000u"), (.seconds(100_000), "100000S"), (.zero, "0n"),
    (.nanoseconds(1), "1n"), (.seconds(-1), "0n"), (.seconds(3_600 * 24 * 365 * 50), "26280000M"),
  ]) func `a time limit has at most eight digits`(_ span: Duration, _ text: String) {
    #expect(GRPCTimeout.encoded(span) == text)
    #expect(GRPCTimeout.decoded(text) == max(span, .zero))
  }

  @Test func `metadata becomes headers and headers metadata`() throws {
    let headers = [
      (name: "a", value: "1"), (name: "b-bin", value: "AQI"), (name: "a", value: "2"),
      (name: "grpc-status", value: "0"), (name: "content-type", value: "x"),
    ]

    let metadata = GRPCMetadata.value(headers)

    #expect(
      metadata
        == .map(
          ValueMap([
            ("a", .list([.string("1"), .string("2")])), ("b-bin", .bytes(Bytes([1, 2]))),
          ])))
    #expect(
      try GRPCMetadata.headers(metadata).map { "\($0.name): \($0.value)" } == [
        "a: 1", "a: 2", "b-bin: AQI",
      ])
  }

  @Test(arguments: [
    ("a b", Value.string("x")), ("grpc-x", .string("x")), ("te", .string("x")),
    ("a", .string("x\ny")), ("a", .null), ("a-bin", .int(1)),
  ]) func `metadata that no header can have is refused`(_ name: String, _ value: Value) {
    #expect(throws: GRPCMetadataError.self) {
      try GRPCMetadata.headers(.map(ValueMap([(name, value)])))
    }
  }

  @Test func `a status is found by its number and its name`() {
    #expect(GRPCStatus.allCases.allSatisfy { GRPCStatus(name: $0.name) == $0 })
    #expect(GRPCStatus(number: 99) == .unknown)
    #expect(
      [400, 401, 403, 404, 429, 503, 500].map { GRPCStatus(httpStatus: $0).name } == [
        "internal", "unauthenticated", "permission_denied", "unimplemented", "unavailable",
        "unavailable", "unknown",
      ])
  }
}
