internal import FlowCore
internal import GRPCCoding

/// The settings of a component.
struct GRPCSettings: Sendable {
  var address: String
  var metadata: Value
  var bearer: String?
  var timeout: Duration
  var limit: Int
  var compresses: Bool
  var connectTimeout: Duration
  var authorities: String?
  var isInsecure: Bool
  var certificate: String?
  var key: String?
  var keyPassword: String?

  static let record = Record(
    GRPCSettings.init(
      address:metadata:bearer:timeout:limit:compresses:connectTimeout:authorities:isInsecure:
      certificate:key:keyPassword:),
    Field(
      "address", \.address, "The server, such as http://127.0.0.1:50051, or https:// with TLS."),
    Field(
      "metadata", \.metadata, "Metadata of every call. A list becomes one header for each element.",
      default: .map(ValueMap())),
    Field(
      "bearer", \.bearer, "A token, sent as the metadata 'authorization: Bearer …'.", secret: true),
    Field("timeout", \.timeout, "The time limit for a call without one.", default: .seconds(60)),
    Field("max_bytes", \.limit, "The maximum size of a message.", default: 4 << 20),
    Field("compress", \.compresses, "Compresses the messages to the server.", default: false),
    Field(
      "connect_timeout", \.connectTimeout, "The time limit for a connection.", default: .seconds(10)
    ),
    Field(
      "ca_file", \.authorities,
      "A PEM file in the scenario's folder. Its certificates are trusted instead of the system's."),
    Field("insecure", \.isInsecure, "Accepts any server certificate.", default: false),
    Field("client_cert", \.certificate, "The PEM file of the client certificate."),
    Field("client_key", \.key, "The PEM file of the client key."),
    Field(
      "client_key_password", \.keyPassword, "The passphrase of an encrypted 'client_key'.",
      secret: true))

  /// Checks the settings on their own.
  ///
  /// - Throws: `GRPCError.invalid`.
  func check() throws(GRPCError) {
    _ = try CallAddress(address)
    _ = try headers()
    if (certificate == nil) != (key == nil) {
      throw .invalid("'client_cert' and 'client_key' must be given together")
    }
    if keyPassword != nil, key == nil { throw .invalid("'client_key_password' needs 'client_key'") }
    if limit <= 0 { throw .invalid("'max_bytes' is \(limit); it must be above 0") }
    for (name, span) in [("timeout", timeout), ("connect_timeout", connectTimeout)]
    where span <= .zero { throw .invalid("'\(name)' must be above 0s") }
  }

  /// The headers of every call.
  ///
  /// - Throws: `GRPCError.invalid`.
  func headers() throws(GRPCError) -> [(name: String, value: String)] {
    do throws(GRPCMetadataError) {
      let token = bearer.map { [(name: "authorization", value: "Bearer \($0)")] } ?? []
      return try GRPCMetadata.headers(metadata) + token
    } catch { throw .invalid("\(error)") }
  }

  /// Reads the files, and returns the settings of the connection.
  ///
  /// - Throws: `GRPCError` or `FileError`.
  func channelOptions(in directory: Directory) throws -> ChannelOptions {
    var options = ChannelOptions(
      address: try CallAddress(address), connectTimeout: connectTimeout, isInsecure: isInsecure)
    options.authorities = try authorities.map { try directory.read($0) } ?? []
    options.certificate = try certificate.map { try directory.read($0) } ?? []
    options.key = try key.map { try directory.read($0) } ?? []
    options.keyPassword = keyPassword
    return options
  }
}
