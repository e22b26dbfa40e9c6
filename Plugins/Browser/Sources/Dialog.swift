import FlowCore

/// A dialog of the page, by `alert`, `confirm` or `prompt`.
struct Dialog: Sendable {
  private let session: DriverSession

  init(_ session: DriverSession) { self.session = session }

  /// Returns the message of the open dialog, or nil without one.
  ///
  /// Any other command would dismiss it.
  func message(_ context: Context) async throws -> String? {
    do {
      guard let message = try await session.get("alert/text", context).text else {
        throw BrowserError.shape("the text of a dialog")
      }
      return message
    } catch let error as BrowserError {
      guard case .driver("no such alert", _) = error else { throw error }
      return nil
    }
  }

  /// Answers the open dialog, with a text for a prompt.
  func answer(accept: Bool, text: String?, _ context: Context) async throws {
    if let text { try await session.post("alert/text", ["text": .string(text)], context) }
    try await session.post(accept ? "alert/accept" : "alert/dismiss", [:], context)
  }
}
