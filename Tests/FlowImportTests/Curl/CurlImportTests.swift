import Testing

/// Commands of curl and their scenarios.
@Suite struct CurlImportTests {
  @Test(arguments: samples) func `a command of curl becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "get.curl",
      text: """
        curl https://api.example.org/items

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: items}

        """),
    ImportCase(
      name: "browser.curl",
      text: ##"""
        curl 'https://shop.example.org/api/cart?lang=en' \
          -X 'PUT' \
          -H 'accept: application/json' \
          -H 'content-type: application/json' \
          -b 'sid=8f14e45fceea; theme=dark; lang=en; seen=1' \
          --data-raw $'{"title":"Ann\'s barn","price":12.50,"tags":["red",null],"note":"\\u00e9"}' \
          --compressed \
          --insecure

        """##,
      scenario: """
        flow: 1
        inputs:
          cookie: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://shop.example.org, follow: false, insecure: true}}
        steps:
          - uses: api.put
            with:
              path: api/cart?lang=en
              headers: {accept: application/json, cookie: "${{ inputs.cookie }}"}
              json: {title: "Ann's barn", price: 12.50, tags: [red, null], note: "é"}

        """,
      notes: """
        5: the value of 'cookie' was removed; pass it with --secret cookie=@FILE

        """),
    ImportCase(
      name: "data.curl",
      text: """
        curl -d name=Barn -d 'price=12%2C50' -d token=abcdefgh https://api.example.org/items
        curl --data-urlencode 'text=a b&c' --data-binary 'more=1' https://api.example.org/notes
        curl -d '<a/>' -H 'Content-Type: application/xml' https://api.example.org/xml
        curl --data-binary @barn.png -H 'Content-Type: image/png' https://api.example.org/images
        curl --json '{"a": 1}' https://api.example.org/json
        curl -G -d q=barn -d 'api_key=k-123456' https://api.example.org/search
        curl -d 'not a form' https://api.example.org/text

        """,
      scenario: """
        flow: 1
        inputs:
          token: {type: string, secret: true}
          api_key: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.post
            with: {path: items, form: {name: Barn, price: "12,50", token: "${{ inputs.token }}"}}
          - uses: api.post
            with: {path: notes, form: {text: a b&c, more: "1"}}
          - uses: api.post
            with: {path: xml, headers: {Content-Type: application/xml}, body: "<a/>"}
          - uses: api.post
            with: {path: images, headers: {Content-Type: image/png}, file: barn.png}
          - uses: api.post
            with: {path: json, headers: {accept: application/json}, json: {a: 1}}
          - uses: api.get
            with: {path: "search?q=barn&api_key=${{ inputs.api_key }}"}
          - uses: api.post
            with: {path: text, headers: {content-type: application/x-www-form-urlencoded}, body: not a form}

        """,
      notes: """
        1: the value of 'token' was removed; pass it with --secret token=@FILE
        6: the value of 'api_key' was removed; pass it with --secret api_key=@FILE

        """),
    ImportCase(
      name: "forms.curl",
      text: """
        curl -F name=Barn -F 'photo=@barn.jpg;type=image/jpeg' -F 'password=correct-horse' https://api.example.org/items
        curl -T report.csv https://api.example.org/reports/
        curl -I https://api.example.org/reports/report.csv
        curl -o out/report.csv -O https://api.example.org/reports/a.csv https://api.example.org/reports/b.csv

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.post
            with:
              path: items
              multipart:
                - {name: name, value: Barn}
                - {name: photo, file: barn.jpg, type: image/jpeg}
                - {name: password, value: "${{ inputs.password }}"}
          - uses: api.put
            with: {path: reports/report.csv, headers: {content-type: null}, file: report.csv}
          - uses: api.head
            with: {path: reports/report.csv}
          - uses: api.get
            with: {path: reports/a.csv, to: out/report.csv}
          - uses: api.get
            with: {path: reports/b.csv, to: b.csv}

        """,
      notes: """
        1: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "joined-options.curl",
      text: """
        curl -sSLkX DELETE -HX-Trace:1 -u ann:correct-horse -m5 --connect-timeout 2.5 "https://api.example.org/items/7"

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://api.example.org
              insecure: true
              connect_timeout: "2.5s"
              user: ann
              password: ${{ inputs.password }}
        steps:
          - uses: api.delete
            with: {path: items/7, headers: {X-Trace: "1"}}
            timeout: 5s

        """,
      notes: """
        1: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "not-supported.curl",
      text: """
        curl --digest -u ann:correct-horse -c jar.txt -b jar.txt -w '%{http_code}' -H 'Accept:' -H 'X-Empty;' 'https://api.example.org/items/[1-3]' > items.txt
        curl -Q 'NOOP' ftp://ftp.example.org/file
        curl -v

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              auth: {digest: {user: ann, password: "${{ inputs.password }}"}}
        steps:
          # line 1: the redirection to a file is not supported
          # line 1: a file with cookies is not supported
          # line 1: the option '--write-out' is not supported
          # line 1: URL globbing is not expanded
          - uses: api.get
            with: {path: "items/[1-3]", headers: {X-Empty: "", accept: null}}

        """,
      notes: """
        1: the redirection to a file is not supported
        1: the component remembers cookies by itself, so '--cookie-jar' is ignored
        1: a file with cookies is not supported
        1: the option '--write-out' is not supported
        1: URL globbing is not expanded
        1: the value of 'password' was removed; pass it with --secret password=@FILE
        2: the option '--quote' is not supported
        2: an address of 'ftp:' is not supported
        3: a command without an address is not supported

        """),
    ImportCase(
      name: "reliable.curl",
      text: """
        curl -f --retry 3 --retry-delay 2 --max-time 10 https://api.example.org/health
        curl --cacert ca.pem --cert me.pem --key me.key -x proxy.example.org:3128 https://api.example.org/health
        curl --oauth2-bearer abcdefghij --range 0-99 https://api.example.org/items

        """,
      scenario: """
        flow: 1
        inputs:
          authorization: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
          api2:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              ca_file: ca.pem
              client_cert: me.pem
              client_key: me.key
              proxy: http://proxy.example.org:3128
        steps:
          - uses: api.get
            with: {path: health}
            timeout: 10s
            retry: {attempts: 4, backoff: 2s}
            expect: {status: "${{ it < 400 }}"}
          - uses: api2.get
            with: {path: health}
          - uses: api.get
            with:
              path: items
              headers: {authorization: "Bearer ${{ inputs.authorization }}", range: bytes=0-99}

        """,
      notes: """
        1: curl retries timeouts and some statuses; the step is retried whenever it fails
        3: the value of 'authorization' was removed; pass it with --secret authorization=@FILE

        """),
    ImportCase(
      name: "user-in-address.curl",
      text: """
        curl "http://ann:correct-horse@localhost:8080/items?access_token=abcdefgh&page=2#top" http://other.example.org

        """,
      scenario: """
        flow: 1
        inputs:
          access_token: {type: string, secret: true}
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {follow: false, user: ann, password: "${{ inputs.password }}"}}
          api2: {plugin: http, with: {follow: false}}
        steps:
          - uses: api.get
            with: {url: "http://localhost:8080/items?access_token=${{ inputs.access_token }}&page=2"}
          - uses: api2.get
            with: {url: http://other.example.org}

        """,
      notes: """
        1: the value of 'access_token' was removed; pass it with --secret access_token=@FILE
        1: the value of 'password' was removed; pass it with --secret password=@FILE

        """),
    ImportCase(
      name: "variables.sh",
      text: """
        #!/bin/sh
        # Two calls with one token.
        HOST=https://api.example.org
        API_TOKEN="t0k3n-t0k3n"
        curl -H "Authorization: Bearer $API_TOKEN" "$HOST/items/${ID}"
        curl -H "X-Request: $(uuidgen)" $HOST/items --next -A flow/1 -e https://example.org $HOST/other | jq .
        echo done

        """,
      scenario: """
        flow: 1
        inputs:
          api_token: {type: string, secret: true}
          ID: {type: string}
          output: {type: string}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.get
            with:
              path: "items/${{ inputs.ID }}"
              headers: {Authorization: "Bearer ${{ inputs.api_token }}"}
          # line 6: the pipe is not supported
          - uses: api.get
            with: {path: items, headers: {X-Request: "${{ inputs.output }}"}}
          - uses: api.get
            with: {path: other, headers: {referer: https://example.org, user-agent: flow/1}}

        """,
      notes: """
        4: the value of 'API_TOKEN' was removed; pass it with --secret api_token=@FILE
        6: the pipe is not supported
        6: the output of a command is read from the input 'output'
        6: the command 'jq' is not supported
        7: the command 'echo' is not supported

        """),
    ImportCase(
      name: "odd-address.curl",
      text: """
        curl 'http:?//localhost/'

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {follow: false}}
        steps:
          - uses: api.get
            with: {url: "http://http:?//localhost/"}

        """),
  ]
}
