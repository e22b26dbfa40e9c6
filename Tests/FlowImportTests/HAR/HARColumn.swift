extension ImportColumn {
  /// Files saved by a browser.
  static let har = ImportColumn(
    "HAR", file: "a.har",
    [
      "settings base": .yes(entry()),
      "settings headers": .yes(
        file(Array(repeating: #""headers": [{"name": "x-a", "value": "1"}]"#, count: 2))),
      "settings bearer": .other(
        "request headers",
        entry(#""headers": [{"name": "authorization", "value": "Bearer token-1234"}]"#)),
      "settings auth.bearer": .other(
        "request headers",
        entry(#""headers": [{"name": "authorization", "value": "Bearer token-1234"}]"#)),
      "settings user": .yes(entry(url: "https://ann:secret-1234@x.example/a")),
      "settings password": .yes(entry(url: "https://ann:secret-1234@x.example/a")),
      "settings auth.basic.user": .other(
        "settings user", entry(url: "https://ann:secret-1234@x.example/a")),
      "settings auth.basic.password": .other(
        "settings password", entry(url: "https://ann:secret-1234@x.example/a")),
      "settings auth.digest.user": .other(
        "request headers",
        entry(
          #""headers": [{"name": "authorization", "value": "Digest username=ann, response=0a1b2c3d"}]"#
        )),
      "settings follow": .yes(entry()),
      "request method": .yes(entry(method: "OPTIONS")),
      "request path": .yes(entry()),
      "request url": .yes(file(["", ""], urls: ["https://x.example/a", "https://y.example/a"])),
      "request query": .yes(entry(#""queryString": [{"name": "a", "value": "1"}]"#)),
      "request headers": .yes(entry(#""headers": [{"name": "accept", "value": "a/b"}]"#)),
      "request json": .yes(posted("application/json", #""text": "{\"a\": 1}""#)),
      "request form": .yes(
        posted("application/x-www-form-urlencoded", #""params": [{"name": "a", "value": "1"}]"#)),
      "request body": .yes(posted("text/xml", #""text": "<a/>""#)),
      "request bytes": .yes(posted("a/b", #""text": "/w==", "encoding": "base64""#)),
      "request multipart.name": .yes(part(#""value": "1""#)),
      "request multipart.value": .yes(part(#""value": "1""#)),
      "request multipart.file": .yes(part(#""fileName": "a.txt""#)),
      "request multipart.type": .yes(part(#""value": "1", "contentType": "text/csv""#)),
      "request multipart.filename": .yes(part(#""fileName": "C:\\b\\a.txt""#)),
      "request follow": .other("settings follow", entry()),
      "expect status": .yes(entry()),
      "expect headers": .note("only the status", entry()),
      "expect text": .note("only the status", entry()),
      "expect json": .note("only the status", entry()),
      "expect bytes": .note("only the status", entry()),
      "expect size": .note("only the status", entry()),
      "expect elapsed": .note("only the status", entry()),
      "expect date": .note("only the status", entry()),
      "expect http_version": .note("only the status", entry()),
      "expect cookies": .note("only the status", entry()),
      "upstream stub": .note("only the status", entry()),
    ])

  private static func entry(
    _ part: String = "", method: String = "GET", url: String = "https://x.example/a"
  ) -> String {
    file([part], method: method, urls: [url])
  }

  private static func posted(_ type: String, _ data: String) -> String {
    entry(#""postData": {"mimeType": "\#(type)", \#(data)}"#, method: "POST")
  }

  private static func part(_ content: String) -> String {
    posted("multipart/form-data", #""params": [{"name": "a", \#(content)}]"#)
  }

  private static func file(
    _ parts: [String], method: String = "GET",
    urls: [String] = ["https://x.example/a", "https://x.example/b"]
  ) -> String {
    let entries = zip(parts, urls).map { part, url in
      """
      {"request": {"method": "\(method)", "url": "\(url)"\(part.isEmpty ? "" : ", " + part)},
       "response": {"status": 200, "headers": [], "content": {"text": "a"}}}
      """
    }
    return #"{"log": {"entries": [\#(entries.joined(separator: ",\n"))]}}"#
  }
}
