/// An exchange whose body is read as it arrives, on the driving thread.
///
/// Its task first waits for the head, then for one piece of the body after another. Bytes arriving
/// meanwhile stay in the handle.
struct TransferStream {
  private enum Wait {
    case head(TransferThread.Continuation)
    case piece(TransferThread.Reader)
    case nothing
  }

  let handle: TransferHandle
  private let number: UInt64
  private var wait: Wait
  private var result: Result<Void, any Error>?

  /// Creates a stream whose task waits for the head.
  init(_ number: UInt64, _ handle: TransferHandle, _ continuation: TransferThread.Continuation) {
    (self.number, self.handle) = (number, handle)
    wait = .head(continuation)
  }

  /// Keeps a continuation for the next piece.
  mutating func read(_ reader: TransferThread.Reader) {
    withdraw()
    wait = .piece(reader)
  }

  /// Ends the wait for a piece.
  mutating func withdraw() {
    guard case .piece(let reader) = wait else { return }
    wait = .nothing
    reader.resume(throwing: CancellationError())
  }

  /// Stores the result of the exchange by its CURLcode.
  mutating func end(_ code: Int32) {
    result = code == 0 || handle.wasUpgraded ? .success(()) : .failure(handle.failure(code))
  }

  /// Passes the received bytes on, and returns true if the stream has ended and its task was
  /// notified.
  mutating func advance() -> Bool {
    switch wait {
    case .nothing: return false
    case .head(let continuation):
      if handle.hasHead {
        wait = .nothing
        continuation.resume(returning: handle.reply(number, isStream: true))
        return false
      }
      guard let result else { return false }
      wait = .nothing
      continuation.resume(with: result.map { handle.reply(number, isStream: true) })
      return true
    case .piece(let reader):
      let bytes = handle.takeBody()
      let piece =
        bytes.isEmpty
        ? result?.map { TransferPiece(bytes: [], trailers: handle.trailers) }
        : .success(TransferPiece(bytes: bytes))
      guard let piece else { return false }
      wait = .nothing
      reader.resume(with: piece)
      return bytes.isEmpty
    }
  }

  /// Resumes the task with an error, if it waits.
  mutating func fail(_ error: any Error) {
    switch wait {
    case .head(let continuation): continuation.resume(throwing: error)
    case .piece(let reader): reader.resume(throwing: error)
    case .nothing: break
    }
    wait = .nothing
  }
}
