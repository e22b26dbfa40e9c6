import TestKit
import Testing

@Suite struct ImageTests {
  private let folder: TemporaryFolder
  private let server: RunningServer

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.png", "a.jpg", "a.JPEG", "a.gif", "a.webp", "a.svg", "a b.png", "notes.txt"] {
      try folder.write("bytes of \(name)", to: "images/\(name)")
    }
    try folder.write("below", to: "images/more/a.png")
    try folder.write("secret", to: "secret.png")
    try folder.link("images/link.png", to: "../secret.png")
    try folder.link("images/out", to: "..")
    try folder.makePipe("images/pipe.png")
    server = try RunningServer(["--images", folder.path("images")])
  }

  @Test(arguments: [
    ("a.png", "image/png", "bytes of a.png"), ("a.jpg", "image/jpeg", "bytes of a.jpg"),
    ("a.JPEG", "image/jpeg", "bytes of a.JPEG"), ("a.gif", "image/gif", "bytes of a.gif"),
    ("a.webp", "image/webp", "bytes of a.webp"), ("a.svg", "image/svg+xml", "bytes of a.svg"),
    ("a%20b.png", "image/png", "bytes of a b.png"), ("more/a.png", "image/png", "below"),
  ])
  func `a picture comes as it is, with its type`(
    _ name: String, _ type: String, _ body: String
  ) throws {
    #expect(try server.ask("GET /images/\(name)") == "200 Content-Type: \(type)\n\(body)")
  }

  @Test(arguments: [
    "b.png", "notes.txt", "more", "more/", ".png", "", "../secret.png", "%2e%2e/secret.png",
    "..%2fsecret.png", "more/../../secret.png", "/secret.png", "out/secret.png", "link.png",
    "pipe.png", "..%2f%2e%2e/secret.png", "..%5csecret.png",
  ])
  func `what is not a picture in the folder is missing`(_ name: String) throws {
    let answer = try server.ask("GET /images/\(name)")

    #expect(answer.hasPrefix("404 Content-Type: application/json\n"), "\(answer)")
    #expect(answer.contains(#"{"error":"missing","message":"there is nothing at '/images/"#))
  }

  @Test func `an absolute path is missing, too`() throws {
    let path = folder.path("secret.png")

    let answers = try [path, path.replacing("/", with: "%2f")].map {
      try server.ask("GET /images/" + $0).prefix { $0 != " " }
    }

    #expect(answers == ["404", "404"])
  }

  @Test func `there are no pictures without a folder`() throws {
    let bare = try RunningServer()

    #expect(
      try bare.ask("GET /images/a.png") == "404 Content-Type: application/json\n"
        + #"{"error":"missing","message":"there is nothing at '/images/a.png'"}"#)
  }
}
