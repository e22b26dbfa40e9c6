private import CUpstream

/// A request of a client, waiting for its answer.
///
/// It is complete, except for one that goes on: its bytes come by `Listener.read`. The connection is reset when no copy is left and there is no answer.
struct IncomingRequest: Sendable {
  /// Unique for a listener, in the order of arrival.
  let number: UInt64
  let method: String
  /// The path with the query, as written.
  let target: String
  /// In the order and case as written.
  ///
  /// Values that are not UTF-8 are read as Latin-1.
  let headers: [(name: String, value: String)]
  /// As sent, without the framing of chunks.
  let body: [UInt8]
  /// Host and port, of a request through a proxy.
  let host: String?
  let isTLS: Bool
  /// The name under which the program uses a proxy.
  let user: String?
  /// True for a request to go on with the protocol WebSocket, by `Listener.upgrade`.
  ///
  /// Any other answer declines.
  let wantsUpgrade: Bool
  /// True for a request of HTTP/2 with a content type of gRPC.
  ///
  /// It has no `body`: its bytes come by `Listener.read`, before and after the beginning of its
  /// answer, whose length is not announced.
  let isOpen: Bool
  let handle: RequestHandle

  /// Copies a request of the C library and takes its ownership.
  init(taking pointer: OpaquePointer) {
    handle = unsafe RequestHandle(pointer)
    number = unsafe flow_request_number(pointer)
    method = unsafe text(flow_request_method(pointer))
    target = unsafe text(flow_request_target(pointer))
    let host = unsafe flow_request_host(pointer)
    self.host = unsafe host.bytes == nil ? nil : text(host)
    isTLS = unsafe flow_request_is_encrypted(pointer)
    let user = unsafe flow_request_user(pointer)
    self.user = unsafe user.bytes == nil ? nil : text(user)
    headers = unsafe (0..<flow_request_header_count(pointer)).map {
      (
        unsafe text(flow_request_header_name(pointer, $0)),
        unsafe text(flow_request_header_value(pointer, $0))
      )
    }
    wantsUpgrade = unsafe flow_request_wants_upgrade(pointer)
    isOpen = unsafe flow_request_is_open(pointer)
    body = unsafe bytes(flow_request_body(pointer))
    unsafe flow_request_discard_body(pointer)
  }
}

/// The use of a `flow_request`.
///
/// `@unchecked`: its functions lock the server.
@safe final class RequestHandle: @unchecked Sendable {
  private let pointer: OpaquePointer

  fileprivate init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe flow_request_release(pointer) }

  func answer(_ head: AnswerHead, _ body: [UInt8]) {
    add(head.headers)
    unsafe body.withUnsafeBytes {
      unsafe flow_request_answer(pointer, head.number, $0.baseAddress, $0.count, head.keepsAlive)
    }
  }

  func answer(
    _ head: AnswerHead, _ beginning: [UInt8], missing: Int, thenReset resets: Bool
  ) {
    add(head.headers)
    // A recording written by hand may have any number.
    let (sum, isTooLarge) = beginning.count.addingReportingOverflow(max(0, missing))
    unsafe beginning.withUnsafeBytes {
      unsafe flow_request_answer_partly(
        pointer, head.number, $0.baseAddress, $0.count, isTooLarge ? .max : sum, resets)
    }
  }

  func upgrade(_ head: AnswerHead) {
    add(head.headers)
    unsafe flow_request_upgrade(pointer)
  }

  func begin(_ head: AnswerHead) {
    add(head.headers)
    unsafe flow_request_begin(pointer, head.number, head.keepsAlive)
  }

  /// Gives a piece to the connection, or returns false when the client has gone.
  func write(_ piece: [UInt8]) -> Bool {
    unsafe piece.withUnsafeBytes {
      unsafe flow_request_write(pointer, $0.baseAddress, $0.count)
    }
  }

  /// Takes the next bytes of the client.
  func read() -> TakenBytes {
    var taken = flow_taken.none
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
      // A buffer with a capacity has an address.
      guard let address = buffer.baseAddress else { return }
      unsafe taken = flow_request_read(pointer, address, buffer.count, &count)
    }
    return switch taken {
    case .some: .some(bytes)
    case .none: .none
    case .end: .end
    case .gone: .gone
    }
  }

  /// The bytes that one read takes at most.
  private static let readSize = 65_536

  func finish(_ trailers: [(name: String, value: String)]) {
    for (name, value) in trailers { unsafe flow_request_add_trailer(pointer, name, value) }
    unsafe flow_request_finish(pointer)
  }

  func end(byReset resets: Bool) { unsafe flow_request_break(pointer, resets) }

  private func add(_ headers: [(name: String, value: String)]) {
    for (name, value) in headers { unsafe flow_request_add_header(pointer, name, value) }
  }
}

/// The result of a look for a client's bytes.
enum TakenBytes {
  case some([UInt8])
  /// No bytes yet.
  case none
  /// The end of the client's side.
  case end
  /// A client that has gone, or a request that has its answer.
  case gone
}

/// The head of an answer.
struct AnswerHead: Sendable {
  /// From 200 on: answers below are not the end of a request.
  ///
  /// An upgrade does not use it.
  var status: Int
  /// The headers in order.
  ///
  /// Those that belong to the connection are left out, as is a length except where the
  /// answer has no body (HEAD, 304).
  var headers: [(name: String, value: String)] = []
  /// False ends the connection after the answer, except one of HTTP/2.
  var keepsAlive = true

  /// The status as three digits, in place of a meaningless one 502 (bad gateway).
  fileprivate var number: UInt32 { 200...999 ~= status ? UInt32(status) : 502 }
}

private func bytes(_ span: flow_span) -> [UInt8] {
  unsafe Array(UnsafeBufferPointer(start: span.bytes, count: span.count))
}

private func text(_ span: flow_span) -> String {
  let bytes = unsafe bytes(span)
  return String(validating: bytes, as: UTF8.self)
    ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}
