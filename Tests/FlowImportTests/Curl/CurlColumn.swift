extension ImportColumn {
  /// Commands of curl.
  static let curl = ImportColumn(
    "curl", file: "a.curl",
    [
      "settings base": .yes("curl https://x.example/a"),
      "settings headers": .yes(
        "curl -H 'x-a: 1' https://x.example/a\ncurl -H 'x-a: 1' https://x.example/b"),
      "settings bearer": .other(
        "request headers", "curl --oauth2-bearer token-1234 https://x.example/a"),
      "settings user": .yes("curl -u ann:secret-1234 https://x.example/a"),
      "settings password": .yes("curl -u ann:secret-1234 https://x.example/a"),
      "settings auth.bearer": .other(
        "request headers", "curl --oauth2-bearer token-1234 https://x.example/a"),
      "settings auth.basic.user": .other(
        "settings user", "curl --basic -u ann:secret-1234 https://x.example/a"),
      "settings auth.basic.password": .other(
        "settings password", "curl --basic -u ann:secret-1234 https://x.example/a"),
      "settings auth.digest.user": .yes("curl --digest -u ann:secret-1234 https://x.example/a"),
      "settings auth.digest.password": .yes(
        "curl --digest -u ann:secret-1234 https://x.example/a"),
      "settings auth.sigv4.region": .yes(
        "curl --aws-sigv4 aws:amz:eu-west-1:s3 -u id:secret-1234 https://x.example/a"),
      "settings auth.sigv4.service": .yes(
        "curl --aws-sigv4 aws:amz -u id:secret-1234 https://s3.eu-west-1.amazonaws.com/a"),
      "settings auth.sigv4.access_key": .yes(
        "curl --aws-sigv4 aws -u id:secret-1234 https://x.example/a"),
      "settings auth.sigv4.secret_key": .yes(
        "curl --aws-sigv4 aws:amz:eu:s3 -u id:secret-1234 https://x.example/a"),
      "settings auth.sigv4.session_token": .yes(
        "curl --aws-sigv4 aws:amz:eu:s3 -u id:secret-1234 -H 'X-Amz-Security-Token: token-1234' https://x.example/a"
      ),
      "settings timeout": .other("step timeout", "curl -m 5 https://x.example/a"),
      "settings follow": .yes("curl https://x.example/a"),
      "settings max_redirects": .yes("curl -L --max-redirs 3 https://x.example/a"),
      "settings max_bytes": .yes("curl --max-filesize 2M https://x.example/a"),
      "settings connect_timeout": .yes("curl --connect-timeout 2 https://x.example/a"),
      "settings ca_file": .yes("curl --cacert ca.pem https://x.example/a"),
      "settings insecure": .yes("curl -k https://x.example/a"),
      "settings client_cert": .yes("curl -E me.pem https://x.example/a"),
      "settings client_key": .yes("curl -E me.pem --key me.key https://x.example/a"),
      "settings client_pkcs12": .yes("curl --cert-type P12 -E me.p12 https://x.example/a"),
      "settings client_key_password": .yes(
        "curl -E me.pem --pass secret-1234 https://x.example/a"),
      "settings proxy": .yes("curl -x proxy.example:3128 https://x.example/a"),
      "settings proxy_user": .yes(
        "curl -U ann:secret-1234 -x proxy.example:3128 https://x.example/a"),
      "settings proxy_password": .yes(
        "curl -x http://ann:secret-1234@proxy.example:3128 https://x.example/a"),
      "settings unix_socket": .yes("curl --unix-socket /run/x.sock http://localhost/a"),
      "request method": .yes("curl -X OPTIONS https://x.example/a"),
      "request path": .yes("curl https://x.example/a"),
      "request url": .yes("curl https://x.example/a https://y.example/a"),
      "request query": .yes("curl --url-query 'a=b c' https://x.example/a"),
      "request headers": .yes("curl -H 'Accept:' https://x.example/a"),
      "request json": .yes("curl --json '{\"a\": 1}' https://x.example/a"),
      "request form": .yes("curl -d a=1 https://x.example/a"),
      "request body": .yes("curl -d '<a/>' -H 'Content-Type: text/xml' https://x.example/a"),
      "request file": .yes("curl -T a.txt https://x.example/a"),
      "request multipart.name": .yes("curl -F a=1 https://x.example/a"),
      "request multipart.value": .yes("curl -F a=1 https://x.example/a"),
      "request multipart.file": .yes("curl -F a=@a.txt https://x.example/a"),
      "request multipart.type": .yes("curl -F 'a=@a.txt;type=text/csv' https://x.example/a"),
      "request multipart.filename": .yes(
        "curl -F 'a=@a.txt;filename=\"b;c.txt\"' https://x.example/a"),
      "request multipart.headers": .yes("curl -F 'a=1;headers=\"X-A: 1\"' https://x.example/a"),
      "request auth": .other(
        "settings auth", "curl --digest -u ann:secret-1234 https://x.example/a"),
      "request follow": .other("settings follow", "curl https://x.example/a"),
      "request to": .yes("curl -o a.txt https://x.example/a"),
      "request path_as_is": .yes("curl --path-as-is https://x.example/a/../b"),
      "request cookies set": .note("a file with cookies", "curl -b jar.txt https://x.example/a"),
      "expect status": .yes("curl -f https://x.example/a"),
    ])
}
