import FlowCore
import Testing

@testable import ScreensPlugin

@Suite struct DrawingTests {
  @Test(arguments: [
    ("a < b & c > d", "a &lt; b &amp; c &gt; d"), ("\"'", "\"'"),
    ("\u{0}\u{1B}\t", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    (String(repeating: "x", count: 44), String(repeating: "x", count: 44)),
    (String(repeating: "&", count: 45), String(repeating: "&amp;", count: 44) + "…"),
    (
      "a" + String(repeating: "\u{301}", count: 100),
      "a" + String(repeating: "\u{301}", count: 43) + "…"
    ),
  ]) func `a text cannot leave its element or its line`(_ text: String, _ escaped: String) {
    #expect(Drawing.escaped(text) == escaped)
  }

  private static func row(
    _ path: String, bytes: Int, format: String = "png"
  ) -> ScreenState.Row {
    ScreenState.Row(
      row: 0, title: "", subtitle: "", picture: .shown, path: path, format: format, bytes: bytes)
  }

  @Test func `a format is a word, and pictures are in base 64`() {
    for (format, url) in [("png", "data:image/png;base64,Zm8="), ("p\"x", nil)] {
      let row = Self.row("a", bytes: 2, format: format)
      var drawing = Drawing(height: 60)
      drawing.embed(Bytes(Array("fo".utf8)), for: row)
      drawing.draw(ScreenState(screen: .place, waiting: false, rows: [row], count: 1))
      #expect(drawing.svg.contains(url ?? "<image") == (url != nil), "\(drawing.svg)")
    }
  }

  @Test func `the field of the balance is seen on the lowest screen`() {
    var drawing = Drawing(height: 60)
    drawing.draw(ScreenState(screen: .balance, waiting: false, field: "12.50"))
    #expect(
      drawing.svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" width="360" height="140""#))
  }

  @Test func `a small picture is embedded once, a large one is not, and there is an end`() {
    var drawing = Drawing(height: 60)
    #expect(drawing.hasRoom(for: Self.row("a", bytes: 4096)))
    #expect(!drawing.hasRoom(for: Self.row("a", bytes: 4097)))
    drawing.embed(Bytes([1]), for: Self.row("a", bytes: 2))
    #expect(drawing.hasRoom(for: Self.row("a", bytes: 2)))
    for number in 0..<16 {
      let row = Self.row("\(number)", bytes: 4096)
      drawing.embed(Bytes(Array(repeating: 0, count: 4096)), for: row)
      #expect(!drawing.hasRoom(for: row))
    }
    #expect(!drawing.hasRoom(for: Self.row("a", bytes: 1)))
  }

  @Test func `an alert stands over the balance and its field`() {
    let state = ScreenState(
      screen: .balance, label: "87.50", field: "<1000>",
      alert: Alert(title: "Illegal value", message: "No"))

    var drawing = Drawing(height: 200)
    drawing.draw(state)

    #expect(
      drawing.svg == """
        <svg xmlns="http://www.w3.org/2000/svg" width="360" height="240" viewBox="0 0 360 240" \
        font-family="sans-serif" font-size="13">
        <rect x="0" y="0" width="360" height="240" fill="#ffffff" stroke="none"/>
        <text x="12" y="80" fill="#000000" font-weight="bold">87.50</text>
        <rect x="12" y="96" width="336" height="32" fill="#ffffff" stroke="#777777"/>
        <text x="20" y="117" fill="#000000" font-weight="normal">&lt;1000&gt;</text>
        <rect x="0" y="0" width="360" height="40" fill="#eeeeee" stroke="none"/>
        <text x="12" y="25" fill="#000000" font-weight="bold">Balance</text>
        <rect x="20" y="80" width="320" height="80" fill="#fff8e1" stroke="#b00020"/>
        <text x="32" y="110" fill="#000000" font-weight="bold">Illegal value</text>
        <text x="32" y="136" fill="#000000" font-weight="normal">No</text>
        </svg>

        """)
  }
}
