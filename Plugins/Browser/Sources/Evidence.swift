import FlowCore

/// What a report shows of the page after a failed step.
struct Evidence: Sendable {
  var title: String
  var url: String
  /// The message of the open dialog, which hides the page from the driver.
  var dialog: String?
  var source: String?
  var picture: Bytes?

  private static let record = Record(
    Evidence.init(title:url:dialog:source:picture:), Field("title", \.title, "The title."),
    Field("url", \.url, "The URL."), Field("dialog", \.dialog, "The message of the open dialog."),
    Field("source", \.source, "The page as HTML."),
    Field("picture", \.picture, "The viewport as PNG."))

  /// Collects what the driver still tells.
  static func value(
    of session: DriverSession, withPicture: Bool, _ context: Context
  ) async -> Value? {
    do {
      // Any other command would dismiss the dialog.
      if let message = try await Dialog(session).message(context) {
        return record.encode(Evidence(title: "", url: "", dialog: message))
      }
      let page = try Page(answer: try await session.run(Script.page, [], context))
      var evidence = Evidence(title: page.title, url: page.url)
      evidence.source = try await session.run(Script.source, [], context).text
      if withPicture {
        evidence.picture = try Screenshot(answer: try await session.get("screenshot", context))
          .bytes
      }
      return record.encode(evidence)
    } catch {
      // The step has failed for its own reason. A browser that has ended shows nothing.
      return nil
    }
  }
}

extension Script {
  static let source = "return document.documentElement.outerHTML"
}
