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
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
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
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
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
            with:
              path: b
              headers: {accept-encoding: null}
              multipart: [{name: photo, file: barn.png, type: image/png}]
            expect: {status: 200}

        """),
    ImportCase(
      name: "xpath.hurl",
      text: #"""
        GET https://x.example/page
        HTTP 200
        [Captures]
        link: xpath "string(//a[@rel='next']/@href)"
        [Asserts]
        xpath "//ul/li" count == 3
        xpath "normalize-space(//h1)" == "The barn"
        xpath "//a[contains(@class, 'old')]" not exists
        xpath "count(//p)" == 2
        xpath "boolean(//form)" == false
        xpath "//p" nth 0 == "hay"
        xpath "string(//*[local-name()='b'])" == "x"
        xpath "/html/body//i/text()" count > 0
        xpath "//p[" exists
        version == "1.1"
        redirects count == 2
        redirects nth 1 location == "https://x.example/page"

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://x.example, follow: false, decompress: false}}
        steps:
          # line 14: this XPath is not supported
          - id: get_page
            uses: api.get
            with: {path: page}
            expect: {status: 200, http_version: "1.1"}
          - set:
              link: "${{ (steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_page.text, 'a[rel=\\"next\\"]::attr(href)').first().orValue('') : xml(steps.get_page.text, 'string(//a[@rel=\\\\'next\\\\']/@href)')[0]) }}"
          - assert:
              - ${{ steps.get_page.text != '' || steps.get_page.size == 0 }}
              - "${{ size((steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_page.text, 'ul > li') : xml(steps.get_page.text, '//ul/li'))) == 3 }}"
              - "${{ (steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? regex.extractAll(html(steps.get_page.text, 'h1').first().orValue(''), '[^ \\\\t\\\\r\\\\n]+').join(' ') : xml(steps.get_page.text, 'normalize-space(//h1)')[0]) == 'The barn' }}"
              - "${{ !(size((steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_page.text, 'a[class*=\\"old\\"]') : xml(steps.get_page.text, '//a[contains(@class, \\\\'old\\\\')]'))) > 0) }}"
              - "${{ (steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? double(size(html(steps.get_page.text, 'p'))) : double(xml(steps.get_page.text, 'count(//p)')[0])) == 2.0 }}"
              - "${{ (steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? (size(html(steps.get_page.text, 'form')) > 0) : (xml(steps.get_page.text, 'boolean(//form)')[0] == 'true')) == false }}"
              - "${{ (steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_page.text, 'p') : xml(steps.get_page.text, '//p'))[0] == 'hay' }}"
              - ${{ xml(steps.get_page.text, 'string(//*[local-name()=\\'b\\'])')[0] == 'x' }}
              - "${{ size((steps.get_page.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_page.text, 'html > body i::text') : xml(steps.get_page.text, '/html/body//i/text()'))) > 0 }}"
              - "${{ size((steps.get_page.hops == null ? [] : steps.get_page.hops)) == 2 }}"
              - "${{ (size((steps.get_page.hops == null ? [] : steps.get_page.hops)) > 2 ? (steps.get_page.hops == null ? [] : steps.get_page.hops)[2].url : (steps.get_page.hops == null ? [] : steps.get_page.hops)[1].url != '' ? steps.get_page.url : '') == 'https://x.example/page' }}"

        """,
      notes: """
        14: this XPath is not supported

        """),
    ImportCase(
      name: "times.hurl",
      text: #"""
        GET https://x.example/page
        HTTP 200
        [Captures]
        built: jsonpath "$.built" toDate "%d.%m.%Y (%H:%M:%S)"
        [Asserts]
        header "Expires" toDate "%a, %d %b %Y %H:%M:%S GMT" format "%Y-%m" == "2015-10"
        variable "built" format "%H h" == "08 h"
        jsonpath "$.at" toDate "%Y-%m-%dT%H:%M:%S%.f%:z" format "%Y-%m-%dT%H:%M:%S%.fZ" == "2015-10-21T07:28:00Z"
        jsonpath "$.at" toDate "%Y" format "%d" == "1"
        bytes contains hex,c4e3;
        bytes startsWith hex,efbbbf41;
        bytes contains hex,41;

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://x.example, follow: false, decompress: false}}
        steps:
          - id: get_page
            uses: api.get
            with: {path: page}
            expect: {status: 200}
          - set:
              built: ${{ cel.bind(d, steps.get_page.json.built, timestamp(regex.extract(d, '^(?:[0-9]{2})\\\\.(?:[0-9]{2})\\\\.([0-9]{4}) \\\\((?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})\\\\)$').orValue('') + '-' + regex.extract(d, '^(?:[0-9]{2})\\\\.([0-9]{2})\\\\.(?:[0-9]{4}) \\\\((?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})\\\\)$').orValue('') + '-' + regex.extract(d, '^([0-9]{2})\\\\.(?:[0-9]{2})\\\\.(?:[0-9]{4}) \\\\((?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})\\\\)$').orValue('') + 'T' + regex.extract(d, '^(?:[0-9]{2})\\\\.(?:[0-9]{2})\\\\.(?:[0-9]{4}) \\\\(([0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})\\\\)$').orValue('') + ':' + regex.extract(d, '^(?:[0-9]{2})\\\\.(?:[0-9]{2})\\\\.(?:[0-9]{4}) \\\\((?:[0-9]{2}):([0-9]{2}):(?:[0-9]{2})\\\\)$').orValue('') + ':' + regex.extract(d, '^(?:[0-9]{2})\\\\.(?:[0-9]{2})\\\\.(?:[0-9]{4}) \\\\((?:[0-9]{2}):(?:[0-9]{2}):([0-9]{2})\\\\)$').orValue('') + 'Z')) }}
          - assert:
              - ${{ cel.bind(t, cel.bind(d, steps.get_page.headers['expires'], timestamp(regex.extract(d, '^(?:[A-Za-z]{3}), (?:[0-9]{2}) (?:[A-Za-z]{3}) ([0-9]{4}) (?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2}) GMT$').orValue('') + '-' + string('JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(regex.extract(d, '^(?:[A-Za-z]{3}), (?:[0-9]{2}) ([A-Za-z]{3}) (?:[0-9]{4}) (?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2}) GMT$').orValue('')) / 3 + 101).substring(1) + '-' + regex.extract(d, '^(?:[A-Za-z]{3}), ([0-9]{2}) (?:[A-Za-z]{3}) (?:[0-9]{4}) (?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2}) GMT$').orValue('') + 'T' + regex.extract(d, '^(?:[A-Za-z]{3}), (?:[0-9]{2}) (?:[A-Za-z]{3}) (?:[0-9]{4}) ([0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2}) GMT$').orValue('') + ':' + regex.extract(d, '^(?:[A-Za-z]{3}), (?:[0-9]{2}) (?:[A-Za-z]{3}) (?:[0-9]{4}) (?:[0-9]{2}):([0-9]{2}):(?:[0-9]{2}) GMT$').orValue('') + ':' + regex.extract(d, '^(?:[A-Za-z]{3}), (?:[0-9]{2}) (?:[A-Za-z]{3}) (?:[0-9]{4}) (?:[0-9]{2}):(?:[0-9]{2}):([0-9]{2}) GMT$').orValue('') + 'Z')), string(t.getFullYear()) + '-' + string(t.getMonth() + 1 + 100).substring(1)) == '2015-10' }}
              - ${{ cel.bind(t, built, string(t.getHours() + 100).substring(1) + ' h') == '08 h' }}
              - ${{ steps.get_page.json != null || json(steps.get_page.text) == null }}
              - ${{ cel.bind(d, steps.get_page.json.at, timestamp(regex.extract(d, '^([0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + '-' + regex.extract(d, '^(?:[0-9]{4})-([0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + '-' + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-([0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + 'T' + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T([0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + ':' + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):([0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + ':' + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):([0-9]{2})(?:\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(\\\\.[0-9]+)?(?:[+-][0-9]{2}:[0-9]{2})$').orValue('') + regex.extract(d, '^(?:[0-9]{4})-(?:[0-9]{2})-(?:[0-9]{2})T(?:[0-9]{2}):(?:[0-9]{2}):(?:[0-9]{2})(?:\\\\.[0-9]+)?([+-][0-9]{2}:[0-9]{2})$').orValue(''))) == timestamp('2015-10-21T07:28:00Z') }}
              # line 9: this format of dates is not supported
              - "${{ (size((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text))) == steps.get_page.size) && ((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text)).contains(b'\\\\xc4\\\\xe3')) }}"
              - "${{ (size((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text))) == steps.get_page.size) && ((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text)).startsWith(b'\\\\xef\\\\xbb\\\\xbfA')) }}"
              - "${{ (size((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text))) == steps.get_page.size) && ((steps.get_page.bytes != null ? steps.get_page.bytes : bytes(steps.get_page.text)).contains(b'A')) }}"

        """,
      notes: """
        6: a header with ', ' in its value is treated as a header that is sent several times
        9: this format of dates is not supported
        10: if the answer names another charset than UTF-8, or begins with its mark, its bytes are not known and this fails
        11: if the answer names another charset than UTF-8, or begins with its mark, its bytes are not known and this fails

        """),
  ]
}
