private import CZlib
internal import FlowCore
internal import GRPCCoding
internal import HTTPPlugin
internal import ProtobufCoding

/// A client of one server: the connection, and the rules for all calls.
struct GRPCClient: Sendable {
  let schema: ProtobufSchema
  let address: CallAddress
  let limit: Int
  let timeout: Duration
  private let headers: [(name: String, value: String)]
  private let compresses: Bool
  private let channel: CallChannel
  private let network: Network

  /// Checks the settings, and starts the thread of the connection.
  ///
  /// - Throws: `GRPCError`, `FileError` or `LibraryError`.
  init(_ settings: GRPCSettings, _ schema: ProtobufSchema, _ context: Context) throws {
    try settings.check()
    self.schema = schema
    address = try CallAddress(settings.address)
    (limit, timeout, compresses) = (settings.limit, settings.timeout, settings.compresses)
    headers = try settings.headers()
    network = context.network
    do { channel = try CallChannel(settings.channelOptions(in: context.directory)) } catch let
      failure as CallFailure
    { throw GRPCError.invalid("\(failure)") }
  }

  /// Ends all calls and the connection.
  func close() { channel.close() }

  /// Starts a call.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - metadata: Metadata beside that of the settings, which it replaces.
  ///   - span: The time limit, of which the server is told, or nil for none.
  /// - Returns: The call, whose owner closes it.
  /// - Throws: `GRPCError`.
  func open(
    _ method: CallMethod, metadata: Value, within span: Duration?
  ) throws(GRPCError) -> OpenCall {
    guard address.isAllowed(by: network) else { throw .forbidden(address.hostAndPort) }
    let own: [(name: String, value: String)]
    do throws(GRPCMetadataError) { own = try GRPCMetadata.headers(metadata) } catch {
      throw .status(.internal, "\(error)", [])
    }
    var all: [(name: String, value: String)] = [("te", "trailers")]
    if let span { all.append(("grpc-timeout", GRPCTimeout.encoded(span))) }
    all += [
      ("content-type", "application/grpc"), ("grpc-accept-encoding", MessageFrame.accepted),
      ("user-agent", "flow"),
    ]
    if compresses { all.append(("grpc-encoding", "deflate")) }
    all += headers.filter { header in !own.contains { $0.name == header.name } } + own
    do throws(CallFailure) {
      return OpenCall(
        method, try channel.open(method.path, all), self, until: span.map { .now + $0 })
    } catch { throw .status(.unavailable, "\(error)", []) }
  }

  /// Returns a message with its length, compressed if the settings say so.
  func frame(_ message: [UInt8]) -> [UInt8] {
    guard compresses, let shorter = Self.deflated(message) else {
      return MessageFrame.bytes(message)
    }
    return MessageFrame.bytes(shorter, isCompressed: true)
  }

  /// Compresses bytes into the format of zlib, which gRPC calls `deflate`.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 64)
    let count = unsafe result.withUnsafeMutableBufferPointer { to in
      unsafe bytes.withUnsafeBufferPointer { from in
        guard let start = from.baseAddress, let room = to.baseAddress else { return 0 }
        return unsafe flow_zlib_compress(room, to.count, start, from.count)
      }
    }
    return count > 0 ? Array(result.prefix(count)) : nil
  }

  /// Writes a message.
  ///
  /// - Throws: `GRPCError.malformed`.
  func bytes(_ value: Value, as message: String) throws(GRPCError) -> [UInt8] {
    do throws(ProtobufError) { return try schema.written(value, as: message) } catch {
      throw .malformed("the message \(message) cannot be sent: \(GRPCText.line("\(error)"))")
    }
  }

  /// Reads a message, and notes what flow.lock does not have of it.
  ///
  /// - Throws: `GRPCError.malformed`.
  func value(_ bytes: [UInt8], as message: String, _ context: Context) throws(GRPCError) -> Value {
    do throws(ProtobufError) {
      let read = try schema.read(bytes, as: message)
      if read.unknownCount > 0 {
        context.log(
          "flow.lock lacks \(read.unknownCount) fields of a message \(message): "
            + "'flow plugin lock' asks again")
      }
      return read.value
    } catch {
      throw .malformed(
        "the server's message \(message) cannot be read: \(GRPCText.line("\(error)"))")
    }
  }

  /// Returns the result of some work before a deadline.
  ///
  /// - Throws: `GRPCError.status` with `deadline_exceeded`, or the error of the work.
  static func within<Success: Sendable>(
    _ deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    guard let deadline else { return try await work() }
    let rest = deadline - .now
    if rest > .zero, let result = try await WebClient.within(rest, work) { return result }
    throw GRPCError.status(.deadlineExceeded, "there was no answer in time", [])
  }
}
