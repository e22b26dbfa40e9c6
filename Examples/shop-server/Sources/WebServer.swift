private import CMicroHTTPD

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The shop behind libmicrohttpd, which has a thread for each connection.
@safe final class WebServer {
  // Streams of events hold 64 of them.
  private static let connectionLimit: UInt32 = 256

  private let daemon: OpaquePointer
  // The daemon's threads have it unretained.
  private let shop: Shop

  /// The port of the server.
  let port: UInt16

  /// Listens on the loopback interface, at a free port for port 0.
  init(_ shop: Shop, port: UInt16) throws(StartError) {
    let context = unsafe Unmanaged.passUnretained(shop).toOpaque()
    guard
      let daemon = unsafe flow_mhd_start(port, Self.connectionLimit, receive, complete, context)
    else {
      let reason = unsafe String(cString: strerror(errno)).lowercased()
      throw StartError(.unavailable, "cannot listen on port \(port): \(reason)")
    }
    unsafe self.daemon = daemon
    self.shop = shop
    self.port = unsafe flow_mhd_port(daemon)
  }

  /// Closes all connections and waits for their threads.
  func stop() {
    unsafe MHD_stop_daemon(daemon)
  }
}

// MARK: - Requests

/// The received part of a request's body, which belongs to the request until `complete`.
private final class Upload {
  var body = Body()
}

/// Takes a request, which libmicrohttpd brings in parts: the head, parts of the body, and the end.
private let receive: MHD_AccessHandlerCallback = {
  (context, connection, path, method, _, part, count, state) in
  guard let context = unsafe context, let connection = unsafe connection,
    let path = unsafe path, let method = unsafe method, let count = unsafe count,
    let state = unsafe state
  else { return flow_mhd_no }
  guard let known = unsafe state.pointee else {
    unsafe state.pointee = Unmanaged.passRetained(Upload()).toOpaque()
    return flow_mhd_yes
  }
  let upload = unsafe Unmanaged<Upload>.fromOpaque(known).takeUnretainedValue()
  if unsafe count.pointee > 0 {
    unsafe upload.body.append(UnsafeRawBufferPointer(start: part, count: count.pointee))
    unsafe count.pointee = 0
    return flow_mhd_yes
  }
  let shop = unsafe Unmanaged<Shop>.fromOpaque(context).takeUnretainedValue()
  let request = unsafe Request(connection, method, path, upload.body)
  return unsafe send(request.map(shop.reply) ?? .answer(notText), to: connection)
}

/// Frees the data that `receive` kept for a request.
private let complete: MHD_RequestCompletedCallback = { _, _, state, _ in
  guard let upload = unsafe state?.pointee else { return }
  unsafe Unmanaged<Upload>.fromOpaque(upload).release()
}

private let notText = Answer(.illegal("the request is not UTF-8"))

extension Request {
  /// Nil when the path, a parameter or a header is not UTF-8.
  fileprivate init?(
    _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>,
    _ body: Body
  ) {
    guard let method = unsafe String(validatingCString: method),
      let path = unsafe String(validatingCString: path)
    else { return nil }
    var fields: [Field: String] = [:]
    for field in Field.allCases {
      let value =
        field.isHeader
        ? unsafe flow_mhd_header(connection, field.rawValue)
        : unsafe flow_mhd_parameter(connection, field.rawValue)
      guard let value = unsafe value else { continue }
      guard let text = unsafe String(validatingCString: value) else { return nil }
      fields[field] = text
    }
    self.init(method: method, path: path, fields: fields, body: body)
  }
}

// MARK: - Answers

private func send(_ reply: Reply, to connection: OpaquePointer) -> MHD_Result {
  switch reply {
  case .nothing: flow_mhd_no
  case .answer(let answer): unsafe send(answer, to: connection)
  case .events(let stream): unsafe send(stream, to: connection)
  }
}

private func send(_ answer: Answer, to connection: OpaquePointer) -> MHD_Result {
  let response = unsafe answer.body.withUnsafeBytes { body in
    unsafe flow_mhd_answer(body.baseAddress, body.count)
  }
  guard let response = unsafe response else { return flow_mhd_no }
  defer { unsafe MHD_destroy_response(response) }
  unsafe MHD_add_response_header(response, "Content-Type", answer.contentType)
  if let allow = answer.allow { unsafe MHD_add_response_header(response, "Allow", allow) }
  if let version = answer.version {
    unsafe MHD_add_response_header(response, "ETag", "\"\(version)\"")
  }
  return unsafe MHD_queue_response(connection, UInt32(answer.status), response)
}

private func send(_ stream: EventStream, to connection: OpaquePointer) -> MHD_Result {
  let receiver = Receiver(stream: stream, socket: unsafe flow_mhd_socket(connection))
  let context = unsafe Unmanaged.passRetained(receiver).toOpaque()
  guard let response = unsafe flow_mhd_stream(read, context, forget) else {
    unsafe Unmanaged<Receiver>.fromOpaque(context).release()
    return flow_mhd_no
  }
  defer { unsafe MHD_destroy_response(response) }
  unsafe MHD_add_response_header(response, "Content-Type", "text/event-stream")
  unsafe MHD_add_response_header(response, "Cache-Control", "no-store")
  return unsafe MHD_queue_response(connection, UInt32(MHD_HTTP_OK), response)
}

/// A stream and its client, which belong to the response until `forget`.
private final class Receiver {
  let stream: EventStream
  let socket: Int32

  init(stream: EventStream, socket: Int32) {
    self.stream = stream
    self.socket = socket
  }
}

private let read: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
  let receiver = unsafe Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
  let bytes = receiver.stream.next(size, client: receiver.socket)
  guard !bytes.isEmpty else { return -1 }
  unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: bytes)
  return bytes.count
}

private let forget: MHD_ContentReaderFreeCallback = { context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<Receiver>.fromOpaque(context).release()
}
