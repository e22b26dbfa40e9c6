import TestKit
import Testing

/// A fault in the service of `Examples/orders`, and the first line of the report about it.
struct PlantedFault: Sendable, CustomTestStringConvertible {
  let name: String
  /// The text of the sound service.
  let text: String
  let replacement: String
  /// The start of the report, in the short form of the tests.
  ///
  /// A request has the name of its component and its label. `*` is 1 or 2.
  let report: String
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ replacement: String, _ report: String) {
    (self.name, self.text, self.replacement, self.report) = (name, text, replacement, report)
  }

  /// A fault by a line before others.
  init(_ name: String, before text: String, _ line: String, _ report: String) {
    self.init(name, text, line + text, report)
  }

  private static let reserve = """
        status, reservation = call("POST", f"{STOCK}/reservations", {"items": wanted})
        if status != 201:
            raise UpstreamError(f"reservation: {status}")

    """
  private static let pay = "    payment = pay(total)\n"
  private static let reservationEnd = """
        status, _ = call("PUT", f"{STOCK}/reservations/{reservation['id']}", {"state": "sold"})

    """

  static let all = amounts + requests + orders + secrets

  private static let amounts = [
    PlantedFault(
      "a wrong amount", #"total = sum(item["cents"] for item in items)"#,
      #"total = sum(item["cents"] for item in items) + 1"#, "payments/POST-payments#1 is unknown"),
    PlantedFault(
      "a list without its end", #"{"items": wanted})"#, #"{"items": wanted[:-1]})"#,
      "stock/POST-reservations#1 is unknown"),
    PlantedFault(
      "a declined payment", #"if payment["status"] == "declined":"#, "if False:",
      "1 was never made: stock/DELETE-reservations-2#1"),
    PlantedFault(
      "an ignored status", "if status != 503:", "if True:",
      "2 were never made: payments/POST-payments#2"),
    PlantedFault(
      "an answer that is never asked for again",
      "    status, payment = payments(\"GET\", f\"/payments/{orders[number]}\")\n",
      """
          if number in known:
              return 200, known[number]
          known[number] = {"order": number, "state": "pending"}
          status, payment = payments("GET", f"/payments/{orders[number]}")

      """, "1 was never made: payments/GET-payments-P-1#2"),
  ]

  private static let requests = [
    PlantedFault(
      "one request more", before: pay, "    call(\"GET\", f\"{STOCK}/items/9\")\n",
      "stock/GET-items-9#1 is unknown"),
    PlantedFault(
      "one request less", reservationEnd, "    status = 200\n",
      "1 was never made: stock/PUT-reservations-1#1"),
    PlantedFault(
      "a payment twice", before: "        if status != 503:\n",
      """
              if status == 201:
                  payments("POST", "/payments", body, {"Idempotency-Key": key})

      """, "payments/POST-payments#3 is unknown"),
    PlantedFault(
      "another method", #"call("PUT""#, #"call("PATCH""#, "stock/PATCH-reservations-1#1 is unknown"),
    PlantedFault(
      "a missing parameter", "items/{number}?{query}", "items/{number}",
      "stock/GET-items-*#1 is unknown"),
    PlantedFault(
      "another header", #""Accept-Language": "en""#, #""Accept-Language": "de""#,
      "stock/GET-items-*#1 is unknown"),
    PlantedFault(
      "another content type", #""application/json", **headers"#, #""text/json", **headers"#,
      "stock/POST-reservations#1 is unknown"),
    PlantedFault(
      "a late request", before: "    titles = [",
      "    threading.Timer(0.03, call, (\"GET\", f\"{STOCK}/items/1\")).start()\n",
      "stock/GET-items-*#1 is unknown"),
    PlantedFault(
      "a failure that is swallowed", before: pay,
      """
          try:
              call("GET", f"{STOCK}/discounts")
          except UpstreamError:
              pass

      """, "stock/GET-discounts#1 is unknown"),
  ]

  private static let orders = [
    PlantedFault(
      "another order", reserve + pay, pay + reserve,
      "payments/POST-payments#1 before stock/POST-reservations#1"),
    PlantedFault(
      "two requests at once", reserve + pay,
      """
          paid = pool.submit(pay, total)
          time.sleep(0.05)

      """ + reserve + "    payment = paid.result()\n",
      "payments/POST-payments#1 before stock/POST-reservations#1"),
    PlantedFault(
      "no second attempt", "range(3)", "range(1)", "2 were never made: payments/POST-payments#2"),
    PlantedFault(
      "a second attempt with another key", before: "        created =",
      "        key = str(uuid.uuid4())\n", "payments/POST-payments#2 has changed"),
    PlantedFault(
      "a second attempt with another reference", before: "        created =",
      "        reference = f\"R-{uuid.uuid4().hex}\"\n", "payments/POST-payments#2 has changed"),
  ]

  private static let secrets = [
    PlantedFault(
      "a secret for another server", #"call("POST", f"{STOCK}/reservations", {"items": wanted})"#,
      #"call("POST", f"{STOCK}/reservations", {"items": wanted}, {"X-Token": TOKEN})"#,
      "stock/POST-reservations#1 is unknown"),
    PlantedFault(
      "a secret in a query", "/payments/{orders[number]}",
      "/payments/{orders[number]}?token={TOKEN}", "payments/GET-payments-P-1#1 is unknown"),
  ]
}
