internal import FlowCore
internal import HTTPCoding

/// A body written to a file piece by piece, to save memory.
struct Download {
  private let client: HTTPClient
  private let path: String
  private let directory: Directory
  private let secrets: Secrets

  /// Creates a download to a path of the scenario's folder.
  ///
  /// - Throws: `HTTPError` if the path clearly cannot be a file, before anything is sent.
  init(to path: String, with client: HTTPClient, in context: Context) throws(HTTPError) {
    self.client = client
    self.path = path
    directory = context.directory
    secrets = context.secrets
    do {
      guard try directory.kind(of: path) == .folder else { return }
    } catch {
      throw .file(FileError(error.kind, path: path, reason: error.reason, isWriting: true))
    }
    throw .file(FileError(.notAFile, path: path, isWriting: true))
  }

  /// Sends the request and writes the body of the response.
  ///
  /// On failure an existing file keeps its content.
  func answer(to request: HTTPRequest) async throws -> HTTPAnswer {
    let start = ContinuousClock.now
    let response = try await client.send(request.streaming, hiding: secrets)
    let (reply, address) = (response.reply, response.address)
    defer { client.end(reply.number) }
    let body = ContinuousClock.now
    let headers = HeaderFields(head: reply.head)
    let (size, digest) = try await write(reply, headers, from: address, since: start)
    var answer = HTTPAnswer(
      reply, headers, size: size, from: address,
      elapsed: response.elapsed + (ContinuousClock.now - body))
    answer.sha256 = digest.hexadecimal
    answer.set(hops: response.hops)
    return answer
  }

  /// Writes the body, and returns its size and digest.
  private func write(
    _ reply: TransferReply, _ headers: HeaderFields, from address: WebAddress,
    since start: ContinuousClock.Instant
  ) async throws -> (size: Int, digest: SHA256) {
    do {
      try directory.makeFolders(around: path)
      let file = try directory.output(at: path)
      let decoder = try client.decoder(of: headers)
      var (size, stream) = (0, SHA256.Stream())
      while case let bytes = try await client.next(of: reply, from: address, since: start).bytes,
        !bytes.isEmpty
      {
        try decoder.decode(bytes) { piece in
          size += piece.count
          guard size <= client.settings.limit else {
            throw HTTPError.tooLarge("\(address)", limit: client.settings.limit)
          }
          stream.append(piece[...])
          try file.append(piece)
        }
      }
      try decoder.finish()
      try file.commit()
      return (size, stream.digest)
    } catch let error as FileError {
      throw HTTPError.file(error)
    } catch let error as ContentCodingError {
      throw HTTPError.undecoded("\(address)", error)
    }
  }
}
