/// The scripts run in the page, as bodies of functions.
enum Script {
  static let page = "return {title: document.title, url: \(url)}"

  /// The URL of the page as an expression.
  static let url = "location.href.startsWith('data:') ? 'data:' : location.href"

  static let write = "document.open(); document.write(arguments[0]); document.close()"
}
