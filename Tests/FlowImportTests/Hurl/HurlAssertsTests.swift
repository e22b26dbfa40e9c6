import Testing

/// Asserts of Hurl and their conditions in scenarios.
@Suite struct HurlAssertsTests {
  @Test(arguments: samples) func `a file with asserts becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "filters.hurl",
      text: ##"""
        GET https://example.org/x
        HTTP 200
        [Asserts]
        jsonpath "$.list" first == 1
        jsonpath "$.list" last == 3
        jsonpath "$.list" nth -1 == 3
        jsonpath "$.id" toInt == 123
        jsonpath "$.id" toFloat > 1.5
        jsonpath "$.id" toString == "123"
        jsonpath "$.ips" split ", " count == 3
        jsonpath "$.ips" replace ", " "|" == "a|b"
        jsonpath "$.text" base64Encode == "YQ=="
        jsonpath "$.text" base64Decode utf8Decode == "a"
        jsonpath "$.text" base64Decode == hex,61;
        body jsonpath "$.a" == 1
        jsonpath "$.json" jsonpath "$.message" == "Hello"
        jsonpath "$.message" regex /Hello (.*)!/ == "Bob"
        jsonpath "$.message" regex /Hello/ exists
        jsonpath "$.x" replaceRegex /\d/ "x" == "xxx"
        jsonpath "$.x" base64UrlSafeDecode == hex,61;
        jsonpath "$.x" urlEncode == "a%20b"
        jsonpath "$.x" urlDecode == "a b"
        jsonpath "$.x" htmlEscape == "a"
        jsonpath "$.x" htmlUnescape == "a"
        jsonpath "$.x" toDate "%Y" dateFormat "%m" == "01"
        jsonpath "$.x" daysAfterNow > 1
        jsonpath "$.x" urlQueryParam "x" == "1"
        jsonpath "$.x" toHex == "61"
        bytes charsetDecode "gb2312" == "a"
        bytes decode "gb2312" == "a"
        redirects nth 0 location == "x"

        """##,
      scenario: #"""
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_x
            uses: api.get
            with: {path: x}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_x.json != null || json(steps.get_x.text) == null }}
              - ${{ type(steps.get_x.json.list) == list && steps.get_x.json.list[0] == 1 }}
              - ${{ type(steps.get_x.json.list) == list && steps.get_x.json.list.last().value() == 3 }}
              - ${{ type(steps.get_x.json.list) == list && steps.get_x.json.list[size(steps.get_x.json.list) - 1] == 3 }}
              - ${{ int(steps.get_x.json.id) == 123 }}
              - ${{ double(steps.get_x.json.id) > 1.5 }}
              - ${{ string(steps.get_x.json.id) == '123' }}
              - ${{ size(steps.get_x.json.ips.split(', ')) == 3 }}
              - ${{ steps.get_x.json.ips.replace(', ', '|') == 'a|b' }}
              - ${{ base64.encode(bytes(steps.get_x.json.text)) == 'YQ==' }}
              - ${{ string(base64.decode(steps.get_x.json.text)) == 'a' }}
              - ${{ base64.decode(steps.get_x.json.text) == b'a' }}
              - ${{ steps.get_x.text != '' || steps.get_x.size == 0 }}
              - ${{ json(steps.get_x.text).a == 1 }}
              - ${{ json(steps.get_x.json.json).message == 'Hello' }}
              - ${{ regex.extract(steps.get_x.json.message, 'Hello (.*)!').value() == 'Bob' }}
              - ${{ steps.get_x.json.message.matches('Hello') }}
              # line 19: the filter 'replaceRegex' is not supported
              - ${{ base64url.decode(steps.get_x.json.x) == b'a' }}
              - ${{ url.encodeQuery(steps.get_x.json.x).replace('%2F', '/') == 'a%20b' }}
              - ${{ url.decode(steps.get_x.json.x) == 'a b' }}
              - ${{ steps.get_x.json.x.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;').replace('\'', '&#x27;') == 'a' }}
              - ${{ html('<b>' + steps.get_x.json.x.replace('<', '&lt;') + '</b>', 'b')[0] == 'a' }}
              # line 25: this format of dates is not supported
              # line 26: the filter 'daysAfterNow' is not supported
              - ${{ url.decode(regex.extract(steps.get_x.json.x, '[?&]x=([^&#]*)').value().replace('+', ' ')) == '1' }}
              # line 28: the filter 'toHex' is not supported
              # line 29: the filter 'charsetDecode' of bytes is not supported
              # line 30: the filter 'decode' of bytes is not supported
              - "${{ (size((steps.get_x.hops == null ? [] : steps.get_x.hops)) > 1 ? (steps.get_x.hops == null ? [] : steps.get_x.hops)[1].url : (steps.get_x.hops == null ? [] : steps.get_x.hops)[0].url != '' ? steps.get_x.url : '') == 'x' }}"

        """#,
      notes: """
        19: the filter 'replaceRegex' is not supported
        25: this format of dates is not supported
        26: the filter 'daysAfterNow' is not supported
        28: the filter 'toHex' is not supported
        29: the filter 'charsetDecode' of bytes is not supported
        30: the filter 'decode' of bytes is not supported

        """),
    ImportCase(
      name: "jsonpath.hurl",
      text: """
        GET https://example.org/items
        HTTP 200
        [Asserts]
        jsonpath "$" count == 2
        jsonpath "$.items" count == 3
        jsonpath "$.items[0]['a b'].true" == "x"
        jsonpath "$.items[-1].id" == 3
        jsonpath "$.items[*].id" contains 1
        jsonpath "$.items[0:2].id" count == 2
        jsonpath "$.items[*].tags[*]" includes "red"
        jsonpath "$.items[0].id" exists
        jsonpath "$.items[*].id" exists
        jsonpath "$..id" count == 3
        jsonpath "$.items[?(@.id == 1)].title" nth 0 == "Barn"
        jsonpath "$.items[0,1].id" count == 2

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_items
            uses: api.get
            with: {path: items}
            expect: {status: 200}
          - assert:
              - ${{ steps.get_items.json != null || json(steps.get_items.text) == null }}
              - ${{ type(steps.get_items.json) == list && size(steps.get_items.json) == 2 }}
              - ${{ type(steps.get_items.json.items) == list && size(steps.get_items.json.items) == 3 }}
              - ${{ steps.get_items.json.items[0]['a b']['true'] == 'x' }}
              - ${{ steps.get_items.json.items[size(steps.get_items.json.items) - 1].id == 3 }}
              - ${{ 1 in steps.get_items.json.items.map(x, type(x) == map && 'id' in x, x.id) }}
              - ${{ size(steps.get_items.json.items.part(0, 2).map(x, type(x) == map && 'id' in x, x.id)) == 2 }}
              - ${{ 'red' in steps.get_items.json.items.map(x, type(x) == map && 'tags' in x, x.tags).filter(x, type(x) == list).flatten() }}
              - ${{ steps.get_items.json.?items[?0].?id.hasValue() }}
              - ${{ size(steps.get_items.json.items.map(x, type(x) == map && 'id' in x, x.id)) > 0 }}
              - ${{ size(descendants(steps.get_items.json).map(x, type(x) == map && 'id' in x, x.id)) == 3 }}
              - ${{ steps.get_items.json.items.filter(x, type(x) == map && 'id' in x && x.id == 1).map(x, type(x) == map && 'title' in x, x.title)[0] == 'Barn' }}
              - ${{ size([?steps.get_items.json.items[?0], ?steps.get_items.json.items[?1]].map(x, type(x) == map && 'id' in x, x.id)) == 2 }}

        """),
    ImportCase(
      name: "predicates.hurl",
      text: ##"""
        GET https://example.org/x
        HTTP 200
        [Asserts]
        jsonpath "$.a" == "it's \"q\" \\ \u{e9}"
        jsonpath "$.a" != null
        jsonpath "$.a" not == 1.50
        jsonpath "$.a" >= 1
        jsonpath "$.a" greaterThan 1
        jsonpath "$.a" contains "red"
        jsonpath "$.a" not contains "red"
        jsonpath "$.a" not startsWith "x"
        jsonpath "$.a" matches "^a.*z$"
        jsonpath "$.a" matches /(?=a)/
        jsonpath "$.a" isInteger
        jsonpath "$.a" isFloat
        jsonpath "$.a" isNumber
        jsonpath "$.a" isBoolean
        jsonpath "$.a" isString
        jsonpath "$.a" isCollection
        jsonpath "$.a" isList
        jsonpath "$.a" isObject
        jsonpath "$.a" isEmpty
        jsonpath "$.a" not isEmpty
        jsonpath "$.a" isIsoDate
        jsonpath "$.a" isUuid
        jsonpath "$.a" isIpv4
        jsonpath "$.a" isIpv6
        jsonpath "$.a" isDate
        jsonpath "$.password" == "correct-horse"
        header "X-Count" == 5
        status == "200"

        """##,
      scenario: ##"""
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          - id: get_x
            uses: api.get
            with: {path: x}
            expect: {status: 200, json: {a: "it's \"q\" \\ é", password: "${{ inputs.password }}"}}
          - assert:
              - ${{ steps.get_x.json != null || json(steps.get_x.text) == null }}
              - ${{ steps.get_x.json.a != null }}
              - ${{ !(type(steps.get_x.json) == map && 'a' in steps.get_x.json && steps.get_x.json.a == 1.50) }}
              - ${{ steps.get_x.json.a >= 1 }}
              - ${{ steps.get_x.json.a > 1 }}
              - "${{ type(steps.get_x.json.a) == list ? 'red' in steps.get_x.json.a : steps.get_x.json.a.contains('red') }}"
              - "${{ !(type(steps.get_x.json) == map && 'a' in steps.get_x.json && (type(steps.get_x.json.a) == list ? 'red' in steps.get_x.json.a : steps.get_x.json.a.contains('red'))) }}"
              - ${{ !(type(steps.get_x.json) == map && 'a' in steps.get_x.json && steps.get_x.json.a.startsWith('x')) }}
              - ${{ steps.get_x.json.a.matches('^a.*z$') }}
              # line 13: a regular expression that RE2 does not have is not supported
              - ${{ type(steps.get_x.json.a) == int || type(steps.get_x.json.a) == decimal && string(steps.get_x.json.a).matches('^-?[0-9]+$') }}
              - ${{ type(steps.get_x.json.a) in [double, decimal] && !string(steps.get_x.json.a).matches('^-?[0-9]+$') }}
              - ${{ type(steps.get_x.json.a) in [int, double, decimal] }}
              - ${{ type(steps.get_x.json.a) == bool }}
              - ${{ type(steps.get_x.json.a) == string }}
              - ${{ type(steps.get_x.json.a) in [list, map] }}
              - ${{ type(steps.get_x.json.a) == list }}
              - ${{ type(steps.get_x.json.a) == map }}
              - ${{ size(steps.get_x.json.a) == 0 }}
              - ${{ !(type(steps.get_x.json) == map && 'a' in steps.get_x.json && size(steps.get_x.json.a) == 0) }}
              - ${{ steps.get_x.json.a.matches('^\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))[Tt ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$') }}
              - ${{ steps.get_x.json.a.matches('^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$') }}
              - ${{ steps.get_x.json.a.matches('^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.|$)){4}$') }}
              # line 27: the predicate 'isIpv6' is not supported
              - ${{ type(steps.get_x.json.a) == google.protobuf.Timestamp }}
              - ${{ dyn(steps.get_x.headers['x-count']) == 5 }}
              - ${{ dyn(steps.get_x.status) == '200' }}

        """##,
      notes: """
        13: a regular expression that RE2 does not have is not supported
        27: the predicate 'isIpv6' is not supported
        29: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "queries.hurl",
      text: ##"""
        GET https://example.org/items
        HTTP 200
        [Asserts]
        status < 300
        url endsWith "/items"
        header "Content-Type" startsWith "application/json"
        header "X-Fruit" count == 2
        header "X-Fruit" nth 1 == "apple"
        header "Date" exists
        header "Location" not exists
        cookie "sid" exists
        cookie "sid" == "8f14e45fceea"
        cookie "sid[HttpOnly]" exists
        cookie "sid[Max-Age]" == 3600
        body contains "Barn"
        body matches /^\{"items"/
        regex "id: (\\d+)" exists
        bytes count == 120
        bytes == hex,4869;
        duration < 1500
        variable "host" == "x"
        version == "2"
        ip == "127.0.0.1"
        sha256 == hex,00;
        md5 == hex,00;
        xpath "//a" count == 2
        certificate "Subject" == "CN=x"
        redirects count == 1
        rawbytes count == 3

        """##,
      scenario: ##"""
        flow: 1
        inputs:
          cookie_sid: {type: string, secret: true}
          host: {type: any}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false, decompress: false}}
        steps:
          # line 29: the query 'rawbytes' is not supported
          - id: get_items
            uses: api.get
            with: {path: items}
            expect: {status: 200, http_version: "2"}
          - assert:
              - ${{ steps.get_items.status < 300 }}
              - ${{ steps.get_items.url.endsWith('/items') }}
              - ${{ steps.get_items.headers['content-type'].startsWith('application/json') }}
              - ${{ size(steps.get_items.headers['x-fruit'].split(', ')) > 1 && size(steps.get_items.headers['x-fruit'].split(', ')) == 2 }}
              - ${{ size(steps.get_items.headers['x-fruit'].split(', ')) > 1 && steps.get_items.headers['x-fruit'].split(', ')[1] == 'apple' }}
              - ${{ steps.get_items.date != '' }}
              - ${{ !('location' in steps.get_items.headers) }}
              - ${{ 'sid' in steps.get_items.cookies }}
              - ${{ steps.get_items.cookies.sid.value == inputs.cookie_sid }}
              - ${{ 'sid' in steps.get_items.cookies && steps.get_items.cookies.sid.httpOnly }}
              - ${{ steps.get_items.cookies.sid.maxAge == 3600 }}
              - ${{ steps.get_items.text != '' || steps.get_items.size == 0 }}
              - ${{ steps.get_items.text.contains('Barn') }}
              - ${{ steps.get_items.text.matches('^\\{"items"') }}
              - "${{ steps.get_items.text.matches('id: (\\\\d+)') }}"
              - ${{ steps.get_items.size == 120 }}
              - ${{ steps.get_items.size == 2 && steps.get_items.text == 'Hi' }}
              - ${{ steps.get_items.elapsed < duration('1500ms') }}
              - ${{ inputs.host == 'x' }}
              # line 23: the query 'ip' is not supported
              - "${{ sha256(steps.get_items.bytes != null ? steps.get_items.bytes : bytes(steps.get_items.text)) == '00' }}"
              - "${{ md5(steps.get_items.bytes != null ? steps.get_items.bytes : bytes(steps.get_items.text)) == '00' }}"
              - "${{ size((steps.get_items.headers[?'content-type'].orValue('').startsWith('text/html') ? html(steps.get_items.text, 'a') : xml(steps.get_items.text, '//a'))) == 2 }}"
              # line 27: the query 'certificate' is not supported
              - "${{ size((steps.get_items.hops == null ? [] : steps.get_items.hops)) == 1 }}"

        """##,
      notes: """
        7: a header with ', ' in its value is treated as a header that is sent several times
        8: a header with ', ' in its value is treated as a header that is sent several times
        12: the value of 'cookie sid' was removed; pass it with --secret cookie_sid=@FILE
        23: the query 'ip' is not supported
        27: the query 'certificate' is not supported
        29: the query 'rawbytes' is not supported

        """),
  ]
}
