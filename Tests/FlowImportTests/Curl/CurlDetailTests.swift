import Testing

/// Combined options of curl, and options without a counterpart in a scenario.
@Suite struct CurlDetailTests {
  @Test(arguments: samples) func `what curl would do is imported, or a note says that it is not`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "documents.sh",
      text: """
        curl -d @- https://api.example.org/a <<'END'
        curl https://evil.example.org/
        END
        (curl https://api.example.org/b)
        curl https://api.example.org/c -d @- <<-END; curl https://api.example.org/d
        \tone
        \tEND
        curl -F 'x=<f.txt' -F y=1 https://api.example.org/e
        curl -d @- https://api.example.org/f <<<text

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.post
            with:
              path: a
              headers: {content-type: application/x-www-form-urlencoded}
              body: curl https://evil.example.org/
          - uses: api.get
            with: {path: b}
          - uses: api.post
            with: {path: c, headers: {content-type: application/x-www-form-urlencoded}, body: one}
          - uses: api.get
            with: {path: d}
          # line 8: the part 'x', whose text is in a file, is not supported
          - uses: api.post
            with: {path: e, multipart: [{name: "y", value: "1"}]}
          - uses: api.post
            with: {path: f, headers: {content-type: application/x-www-form-urlencoded}, body: text}

        """,
      notes: """
        8: the part 'x', whose text is in a file, is not supported

        """),
    ImportCase(
      name: "files.curl",
      text: #"""
        curl -o /tmp/a https://api.example.org/a
        curl -F f=@../b https://api.example.org/b
        curl --data-binary @in/c -H 'Content-Type: text/plain' -o out/c..d https://api.example.org/c

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          # line 1: '/tmp/a' is outside the scenario's folder and must be moved into it
          - uses: api.get
            with: {path: a, to: /tmp/a}
          # line 2: '../b' is outside the scenario's folder and must be moved into it
          - uses: api.post
            with: {path: b, multipart: [{name: f, file: "../b"}]}
          - uses: api.post
            with: {path: c, headers: {Content-Type: text/plain}, file: in/c, to: out/c..d}

        """,
      notes: """
        1: '/tmp/a' is outside the scenario's folder and must be moved into it
        2: '../b' is outside the scenario's folder and must be moved into it

        """),
    ImportCase(
      name: "certificate.curl",
      text: #"""
        curl -E cert.pem:hunter2-pw https://api.example.org/a
        curl --cert 'c\:d.pem:hunter2-pw' --pass hunter2-pw https://api.example.org/b
        curl -x ann:hunter2-pw@proxy.example.org:3128 https://api.example.org/c
        curl --header='X-Token: hunter2-pw' https://api.example.org/d

        """#,
      scenario: """
        flow: 1
        inputs:
          client_key_password: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              client_cert: cert.pem
              client_key: cert.pem
              client_key_password: ${{ inputs.client_key_password }}
          api2:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              client_cert: c:d.pem
              client_key: c:d.pem
              client_key_password: ${{ inputs.client_key_password }}
          api3:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              proxy: http://proxy.example.org:3128
              proxy_user: ann
              proxy_password: ${{ inputs.client_key_password }}
          api4: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: a}
          - uses: api2.get
            with: {path: b}
          - uses: api3.get
            with: {path: c}
          # line 4: the option '--header=' is not supported
          - uses: api4.get
            with: {path: d}

        """,
      notes: """
        1: the value of 'client_key_password' was removed; pass it with --secret client_key_password=@FILE
        4: the option '--header=' is not supported

        """),
    ImportCase(
      name: "numbers.curl",
      text: """
        curl --json '{"user": "ann", "pin": 271828, "otp": -3.25, "max_tokens": 100, "ids": [1]}' https://api.example.org/login

        """,
      scenario: """
        flow: 1
        inputs:
          pin: {type: string, secret: true}
          otp: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.post
            with:
              path: login
              headers: {accept: application/json}
              json:
                user: ann
                pin: ${{ int(inputs.pin) }}
                otp: ${{ double(inputs.otp) }}
                max_tokens: 100
                ids: [1]

        """,
      notes: """
        1: the value of 'pin' was removed; pass it with --secret pin=@FILE
        1: the value of 'otp' was removed; pass it with --secret otp=@FILE

        """),
    ImportCase(
      name: "data-and-files.curl",
      text: """
        curl -G -d @query.txt https://api.example.org/a
        curl -d @a.txt -d @b.txt https://api.example.org/b
        curl -d @"$F" https://api.example.org/c
        curl -T a.txt -d x=1 https://api.example.org/d
        curl -X "$M" -d x=1 https://api.example.org/e
        curl -d @- https://api.example.org/f
        curl -T - https://api.example.org/g
        curl -F a=@- -F b=c https://api.example.org/h

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          # line 1: a query from a file is not supported
          - uses: api.get
            with: {path: a}
          # line 2: a second file with data is not supported
          - uses: api.post
            with: {path: b, headers: {content-type: application/x-www-form-urlencoded}, file: a.txt}
          # line 3: a path with a variable in it is not supported
          - uses: api.post
            with: {path: c, headers: {content-type: application/x-www-form-urlencoded}, file: file}
          # line 4: more than one body is not supported
          - uses: api.post
            with: {path: d, form: {x: "1"}}
          # line 5: a method with a variable in it is not supported
          - uses: api.post
            with: {path: e, form: {x: "1"}}
          # line 6: standard input or output as a file is not supported
          - uses: api.post
            with: {path: f}
          # line 7: standard input or output as a file is not supported
          - uses: api.put
            with: {path: g}
          # line 8: standard input or output as a file is not supported
          - uses: api.post
            with: {path: h, multipart: [{name: b, value: c}]}

        """,
      notes: """
        1: unlike curl, line breaks in the file are sent
        1: a query from a file is not supported
        2: unlike curl, line breaks in the file are sent
        2: a second file with data is not supported
        2: unlike curl, line breaks in the file are sent
        3: a path with a variable in it is not supported
        3: unlike curl, line breaks in the file are sent
        4: more than one body is not supported
        5: a method with a variable in it is not supported
        6: standard input or output as a file is not supported
        7: standard input or output as a file is not supported
        8: standard input or output as a file is not supported

        """),
    ImportCase(
      name: "last-one-wins.curl",
      text: """
        curl -A one -A two -e https://one.example.org -e 'https://two.example.org;auto' -r 0-1 -r 2-3 https://api.example.org/a
        curl -A one -H 'User-Agent: mine' --oauth2-bearer abcdefgh -H 'Authorization: Basic abcdefgh-1' https://api.example.org/b
        curl -A '' -e ';auto' https://api.example.org/c

        """,
      scenario: """
        flow: 1
        inputs:
          authorization: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: a, headers: {range: bytes=2-3, referer: https://two.example.org, user-agent: two}}
          - uses: api.get
            with: {path: b, headers: {User-Agent: mine, Authorization: "Basic ${{ inputs.authorization }}"}}
          - uses: api.get
            with: {path: c}

        """,
      notes: """
        2: the value of 'Authorization' was removed; pass it with --secret authorization=@FILE

        """),
    ImportCase(
      name: "braces.sh",
      text: """
        HOST=${HOST:-https://localhost}
        curl "$HOST/${PATH_OF:-${OTHER:-items}}" -H "X-Id: ${ID%-*}" -H "X-Length: ${#ID}"
        curl "$HOST/$(date)/$(uuidgen)"

        """,
      scenario: """
        flow: 1
        inputs:
          HOST: {type: string}
          PATH_OF: {type: string}
          ID: {type: string}
          output: {type: string}
          output_2: {type: string}
        components:
          api: {plugin: http, with: {base: "${{ inputs.HOST }}", follow: false}}
        steps:
          # line 2: the default of '$PATH_OF' is not supported
          # line 2: the expansion of '$ID' in braces is not supported
          # line 2: the expansion of '$ID' in braces is not supported
          - uses: api.get
            with:
              path: ${{ inputs.PATH_OF }}
              headers: {X-Id: "${{ inputs.ID }}", X-Length: "${{ inputs.ID }}"}
          - uses: api.get
            with: {path: "${{ inputs.output }}/${{ inputs.output_2 }}"}

        """,
      notes: """
        1: the default of '$HOST' is not supported
        2: the default of '$PATH_OF' is not supported
        2: the expansion of '$ID' in braces is not supported
        3: the output of a command is read from the input 'output'
        3: the output of a command is read from the input 'output_2'

        """),
    ImportCase(
      name: "outputs.curl",
      text: """
        curl -o /dev/null -o b.txt -o - https://api.example.org/a https://api.example.org/b https://api.example.org/c
        curl --retry 2 https://api.example.org/d
        curl --retry 0 --no-location https://api.example.org/e
        curl -u "ann" https://api.example.org/f

        """,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
          api2:
            plugin: http
            with:
              base: https://api.example.org
              follow: false
              user: ann
              password: ${{ inputs.password }}
        steps:
          - uses: api.get
            with: {path: a}
          - uses: api.get
            with: {path: b, to: b.txt}
          - uses: api.get
            with: {path: c}
          - uses: api.get
            with: {path: d}
            retry: {attempts: 3}
          - uses: api.get
            with: {path: e}
          - uses: api2.get
            with: {path: f}

        """,
      notes: """
        2: curl retries timeouts and some statuses; the step is retried whenever it fails
        4: the user has no password; it is read from the input 'password'

        """),
    ImportCase(
      name: "brackets.curl",
      text: """
        curl http://[2001:db8::1]:8080/items
        curl 'http://[2001:db8::1]:8080/items/[1-3]'
        curl -g 'http://[2001:db8::1]:8080/items/{a,b}'

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {follow: false}}
        steps:
          - uses: api.get
            with: {url: "http://[2001:db8::1]:8080/items"}
          # line 2: URL globbing is not expanded
          - uses: api.get
            with: {url: "http://[2001:db8::1]:8080/items/[1-3]"}
          - uses: api.get
            with: {url: "http://[2001:db8::1]:8080/items/{a,b}"}

        """,
      notes: """
        2: URL globbing is not expanded

        """),
    ImportCase(
      name: "blanks.curl",
      text: """
        curl -H "X-Text:  one $A two $B three" -H "Authorization: Bearer $A $B" -F "text=a $A b $B c" --data-urlencode "q=x $A y" -A"f $A g $B h" https://api.example.org/a

        """,
      scenario: """
        flow: 1
        inputs:
          A: {type: string, secret: true}
          B: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          # line 1: more than one body is not supported
          - uses: api.post
            with:
              path: a
              headers:
                X-Text: "one ${{ inputs.A }} two ${{ inputs.B }} three"
                Authorization: "Bearer ${{ inputs.A }} ${{ inputs.B }}"
                user-agent: "f ${{ inputs.A }} g ${{ inputs.B }} h"
              form: {q: "x ${{ inputs.A }} y"}

        """,
      notes: """
        1: more than one body is not supported

        """),
    ImportCase(
      name: "queries.curl",
      text: """
        curl 'https://api.example.org?page=1&of=a/b'
        curl 'https://api.example.org/items?page=2'

        """,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://api.example.org, follow: false}}
        steps:
          - uses: api.get
            with: {path: "?page=1&of=a/b"}
          - uses: api.get
            with: {path: items?page=2}

        """),
    ImportCase(
      name: "logins.curl",
      text: #"""
        curl --digest -u ann:correct-horse https://x.example/a
        curl -u AKID:correct-stable --aws-sigv4 aws:amz -H 'x-amz-security-token: token-4711' https://s3.eu-west-1.amazonaws.com/b
        curl -u AKID:correct-stable --aws-sigv4 osc https://x.example/c
        curl --ntlm -u ann:correct-horse https://x.example/d
        curl --aws-sigv4 aws:amz:eu-west-1 -u "$KEY" https://x.example/e

        """#,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
          x_amz_security_token: {type: string, secret: true}
          password_2: {type: string, secret: true}
          KEY: {type: string, secret: true}
          service: {type: string}
        components:
          api:
            plugin: http
            with: {follow: false, auth: {digest: {user: ann, password: "${{ inputs.password }}"}}}
          api2:
            plugin: http
            with:
              follow: false
              auth:
                sigv4:
                  region: eu-west-1
                  service: s3
                  access_key: AKID
                  secret_key: ${{ inputs.password_2 }}
                  session_token: ${{ inputs.x_amz_security_token }}
          api3: {plugin: http, with: {follow: false}}
          api4:
            plugin: http
            with:
              follow: false
              auth:
                sigv4:
                  region: eu-west-1
                  service: ${{ inputs.service }}
                  access_key: ${{ string(inputs.KEY.split(':', 2)[0]) }}
                  secret_key: ${{ string(inputs.KEY.split(':', 2)[1]) }}
        steps:
          - uses: api.get
            with: {url: https://x.example/a}
          - uses: api2.get
            with: {url: https://s3.eu-west-1.amazonaws.com/b}
          # line 3: a signature that is not of AWS is not supported
          - uses: api3.get
            with: {url: https://x.example/c}
          # line 4: the option '--ntlm' is not supported
          - uses: api3.get
            with: {url: https://x.example/d}
          - uses: api4.get
            with: {url: https://x.example/e}

        """,
      notes: """
        1: the value of 'password' was removed; pass it with --secret password=@FILE
        2: the value of 'x-amz-security-token' was removed; pass it with --secret x_amz_security_token=@FILE
        2: the value of 'password' was removed; pass it with --secret password_2=@FILE
        3: a signature that is not of AWS is not supported
        4: the option '--ntlm' is not supported

        """),
    ImportCase(
      name: "connections.curl",
      text: #"""
        curl --unix-socket /run/barn.sock http://localhost/a
        curl --unix-socket run/shed.sock http://shed/b
        curl -L --max-redirs -1 --path-as-is https://x.example/c/../d
        curl --max-redirs 3 --max-filesize 2M --cert-type P12 -E me.p12:correct-horse https://x.example/e
        curl -x proxy.example:3128 -U ann:correct-horse https://x.example/f

        """#,
      scenario: """
        flow: 1
        inputs:
          client_key_password: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: http://localhost, follow: false, unix_socket: /run/barn.sock}}
          api2: {plugin: http, with: {base: http://shed, follow: false, unix_socket: run/shed.sock}}
          api3: {plugin: http, with: {max_redirects: 1000}}
          api4:
            plugin: http
            with:
              follow: false
              max_bytes: 2097152
              client_key_password: ${{ inputs.client_key_password }}
              client_pkcs12: me.p12
          api5:
            plugin: http
            with:
              follow: false
              proxy: http://proxy.example:3128
              proxy_user: ann
              proxy_password: ${{ inputs.client_key_password }}
        steps:
          - uses: api.get
            with: {path: a}
          - uses: api2.get
            with: {path: b}
          - uses: api3.get
            with: {url: https://x.example/c/../d, path_as_is: true}
          - uses: api4.get
            with: {url: https://x.example/e}
          - uses: api5.get
            with: {url: https://x.example/f}

        """,
      notes: """
        3: redirects are limited to 1000
        4: the value of 'client_key_password' was removed; pass it with --secret client_key_password=@FILE

        """),
    ImportCase(
      name: "parts.curl",
      text: #"""
        curl https://x.example/a -F 'rows=@rows.csv;type=text/csv;filename="a;b \"c\".csv"' -F 'note="one; two"' -F 'meta={"n": 1};type=application/json;headers="X-Row: 1";headers=X-Key: token-4711' -F 'x=1;encoder=base64'
        curl https://x.example/b -H 'Content-Type: application/json' -d '{a:1}'
        curl https://x.example/c -H 'Content-Type: application/json; charset=utf-8' -d '{"a":1}' -H 'Accept:' -H 'User-Agent:'
        echo x | curl -T - https://x.example/d

        """#,
      scenario: """
        flow: 1
        inputs:
          x_key: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://x.example, follow: false}}
        steps:
          # line 1: an attribute of the part 'x' is not supported
          - uses: api.post
            with:
              path: a
              multipart:
                - {name: rows, file: rows.csv, type: text/csv, filename: "a;b \\"c\\".csv"}
                - {name: note, value: one; two}
                - name: meta
                  value: "{\\"n\\": 1}"
                  type: application/json
                  headers: {X-Row: "1", X-Key: "${{ inputs.x_key }}"}
                - {name: x, value: "1"}
          # line 2: the body is no JSON, as its type says, and is sent as text
          - uses: api.post
            with: {path: b, headers: {Content-Type: application/json}, body: "{a:1}"}
          - uses: api.post
            with:
              path: c
              headers: {Content-Type: application/json; charset=utf-8, accept: null, user-agent: null}
              json: {a: 1}
          # line 4: standard input or output as a file is not supported
          - uses: api.put
            with: {path: d}

        """,
      notes: """
        1: the value of 'X-Key' was removed; pass it with --secret x_key=@FILE
        1: an attribute of the part 'x' is not supported
        2: the body is no JSON, as its type says, and is sent as text
        4: the command 'echo' is not supported
        4: standard input or output as a file is not supported

        """),
    ImportCase(
      name: "routes.curl",
      text: #"""
        curl --resolve barn.example:80:127.0.0.1 http://barn.example/a
        curl --connect-to '::localhost:8000' 'http://barn.example/b?c=1'
        curl --connect-to barn.example:443:localhost:8000 https://barn.example/c
        curl --resolve shed.example:80:127.0.0.1 http://barn.example/d -H 'Content-Length: 3' -H 'Host: shed'
        curl --resolve nonsense http://barn.example/e

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {follow: false}}
        steps:
          - uses: api.get
            with: {url: http://127.0.0.1:80/a, headers: {host: barn.example}}
          - uses: api.get
            with: {url: http://localhost:8000/b?c=1, headers: {host: barn.example}}
          # line 3: the option '--connect-to' is not supported
          - uses: api.get
            with: {url: https://barn.example/c}
          # line 4: the header 'content-length' is not supported
          - uses: api.get
            with: {url: http://barn.example/d, headers: {Host: shed}}
          # line 5: the option '--resolve' is not supported
          - uses: api.get
            with: {url: http://barn.example/e}

        """,
      notes: """
        3: the option '--connect-to' is not supported
        4: the header 'content-length' is not supported
        5: the option '--resolve' is not supported

        """),
  ]
}
