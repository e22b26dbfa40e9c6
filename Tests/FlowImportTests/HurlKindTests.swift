import Testing

/// Kinds of asserts and captures, and their form in scenarios.
@Suite struct HurlKindTests {
  @Test(arguments: samples) func `an assert keeps its meaning`(_ sample: ImportCase) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "paths.hurl",
      text: """
        GET https://example.org/barn
        HTTP 200
        [Asserts]
        jsonpath "$..hay[?(@.kg > 20 && @.dry == true)].place" nth 0 == "loft"
        jsonpath "$.stalls[?(@.horse.name == 'Fly' || @['free'])]" count == 2
        jsonpath "$.stalls[-2:]" count == 2
        jsonpath "$.stalls[0,-1].no" contains 7
        jsonpath "$.owner.*" count == 3
        jsonpath "$..*" count == 40

        """,
      scenario: """
        flow: 1

        """),
    ImportCase(
      name: "captures.hurl",
      text: """
        # Sell the hay.
        # Authorization: Bearer 0123456789abcdef
        POST https://example.org/sales
        HTTP 201
        Server: barn
        [Captures]
        # The number of the sale
        number: header "Location" regex /sales\\/([0-9]+)/
        type: jsonpath "$.type"
        sum: sha256
        [Asserts]
        header "Location" == "/sales/{{number}}"
        jsonpath "$.price" == 12.5   # per bale
        jsonpath "$.price" == 12.50
        jsonpath "$.paid" == true
        bytes contains hex,c3a9;
        cookie "stall[Expires]" format "%d %b %Y %H:%M:%S" == "13 Jan 2031 22:23:01"

        GET https://example.org/sales/{{number}}?type={{type}}
        Content-MD5: {{sum}}
        HTTP 200
        file,sale.bin;
        # The end.

        """,
      scenario: """
        flow: 1

        """),
    ImportCase(
      name: "coded.hurl",
      text: """
        GET https://example.org/a
        Accept-Encoding: gzip
        HTTP 200

        POST https://example.org/b
        [Multipart]
        photo: file,barn.png;
        HTTP 200

        """,
      scenario: """
        flow: 1

        """),
  ]
}
