import FlowCore

/// What `fetch` answers.
struct FetchedImage: Sendable {
  var path: String
  var format: PictureFormat
  var width: Int
  var height: Int
  var bytes: Int
  var sha256: String
  var cached: Bool
  var hits: Int
  var misses: Int

  static let record = Record(
    FetchedImage.init(path:format:width:height:bytes:sha256:cached:hits:misses:),
    Field("path", \.path, "The path as it was asked for."),
    Field("format", \.format, "What the file's first bytes say it is."),
    Field("width", \.width, "Pixels across."),
    Field("height", \.height, "Pixels down."),
    Field("bytes", \.bytes, "The length of the file."),
    Field("sha256", \.sha256, "The SHA-256 digest of the file, 64 hexadecimal digits."),
    Field("cached", \.cached, "Whether no file was read for this answer."),
    Field("hits", \.hits, "How many fetches up to this one have read no file."),
    Field("misses", \.misses, "How many fetches up to this one have read a file, or tried to."))
}

extension FetchedImage {
  init(_ path: String, _ picture: Picture, _ fetch: ImageLibrary.Fetch) {
    self.init(
      path: path, format: picture.header.format, width: picture.header.width,
      height: picture.header.height, bytes: picture.byteCount, sha256: picture.sha256,
      cached: fetch.cached, hits: fetch.hits, misses: fetch.misses)
  }
}
