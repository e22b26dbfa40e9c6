private import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)

private func run(_ arguments: [String]) -> Ending {
  do throws(StartError) {
    guard var options = try Options(arguments) else {
      print(Options.usage, terminator: "")
      return .done
    }
    // Not an option, because every user of the machine can see those.
    options.password = unsafe getenv("SHOP_PASSWORD").map { unsafe String(cString: $0) }
    if options.password == "" { throw StartError(.badCommandLine, "SHOP_PASSWORD is empty") }
    try serve(options)
    return .done
  } catch {
    let text = Array("shop-server: \(error.message)\n".utf8)
    _ = unsafe write(STDERR_FILENO, text, text.count)
    return error.ending
  }
}

/// Answers requests until a signal asks it to end.
private func serve(_ options: Options) throws(StartError) {
  // Every thread inherits this, so that the signals wait for `sigwait` below.
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  for number in [SIGTERM, SIGINT] { unsafe sigaddset(&signals, number) }
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  // Writing to a client that has gone is an error of `write` and must not end this process.
  signal(SIGPIPE, SIG_IGN)

  let shop = try Shop(options)
  let server = try WebServer(shop, port: options.port)
  print("listening on http://127.0.0.1:\(server.port)")
  fflush(nil)

  var number: Int32 = 0
  unsafe sigwait(&signals, &number)
  shop.stop()
  server.stop()
}
