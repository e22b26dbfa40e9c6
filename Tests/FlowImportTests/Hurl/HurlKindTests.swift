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
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - id: get_barn
            uses: api.get
            with: {path: barn}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_barn.json != null || json(steps.get_barn.text) == null }}
              - ${{ descendants(steps.get_barn.json).map(x, type(x) == map && 'hay' in x, x.hay).map(x, type(x) == list, x.filter(y, type(y) == map && 'kg' in y && type(y.kg) in [int, double, decimal] && y.kg > 20 && type(y) == map && 'dry' in y && y.dry == true)).flatten().map(x, type(x) == map && 'place' in x, x.place)[0] == 'loft' }}
              - ${{ type(steps.get_barn.json.stalls) == list && (size(steps.get_barn.json.stalls.filter(x, type(x) == map && 'horse' in x && type(x.horse) == map && 'name' in x.horse && x.horse.name == 'Fly' || type(x) == map && 'free' in x)) == 2) }}
              - ${{ type(steps.get_barn.json.stalls) == list && size(steps.get_barn.json.stalls.part(-2)) == 2 }}
              - ${{ 7 in [?steps.get_barn.json.stalls[?0], ?steps.get_barn.json.stalls[?size(steps.get_barn.json.stalls) - 1]].map(x, type(x) == map && 'no' in x, x.no) }}
              - "${{ size((type(steps.get_barn.json.owner) == map ? steps.get_barn.json.owner.map(k, steps.get_barn.json.owner[k]) : type(steps.get_barn.json.owner) == list ? steps.get_barn.json.owner : [])) == 3 }}"
              - ${{ size(descendants(steps.get_barn.json).part(1)) == 40 }}

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
      scenario: #"""
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
          files: {plugin: file}
        steps:
          # Sell the hay.
          # Authorization: Bearer …
          - id: post_sales
            uses: api.post
            with: {path: sales}
            expect:
              status: 201
              headers: {server: "${{ 'barn' in it.split(', ') }}"}
              json: {price: 12.5, paid: true}
          # The number of the sale
          - set:
              number: ${{ regex.extract(steps.post_sales.headers['location'], 'sales/([0-9]+)').value() }}
          - set: {type_value: "${{ steps.post_sales.json.type }}"}
          - set:
              sum: "${{ sha256(steps.post_sales.bytes != null ? steps.post_sales.bytes : bytes(steps.post_sales.text)) }}"
          - assert:
              - ${{ steps.post_sales.headers['location'] == '/sales/' + number }}
              - ${{ steps.post_sales.json != null || json(steps.post_sales.text) == null }}
              # per bale
              - ${{ steps.post_sales.json.price == 12.50 }}
              - "${{ (size((steps.post_sales.bytes != null ? steps.post_sales.bytes : bytes(steps.post_sales.text))) == steps.post_sales.size) && ((steps.post_sales.bytes != null ? steps.post_sales.bytes : bytes(steps.post_sales.text)).contains(b'\\xc3\\xa9')) }}"
              - ${{ steps.post_sales.cookies.stall.expires == timestamp('2031-01-13T22:23:01Z') }}
          - id: file
            uses: files.read
            with: {path: sale.bin, as: bytes}
          - id: get_sales
            uses: api.get
            with: {path: "sales/${{ number }}?type=${{ type_value }}", headers: {Content-MD5: "${{ sum }}"}}
            expect: {status: 200}
          - assert:
              - "${{ (steps.get_sales.bytes != null ? steps.get_sales.bytes : bytes(steps.get_sales.text)) == steps.file.bytes }}"
        # The end.

        """#),
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
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: a, headers: {Accept-Encoding: gzip}}
            expect: {status: 200}
          - uses: api.post
            with: {path: b, multipart: [{name: photo, file: barn.png, type: image/png}]}
            expect: {status: 200}

        """),
  ]
}
