import FlowCore

/// The screen with the balance and the field for a withdrawal.
struct BalanceScreen {
  /// The number of the screen, a new one each time it is opened.
  let number: Int
  private(set) var alert: Alert?
  private(set) var isSubmitting = false
  private var controller: ViewController<Decimal, BalanceView>
  private let balance: Observer<Account, Decimal?>
  private var loads = 0

  /// Creates a screen that shows an account's balance as soon as it is known.
  init(_ account: Account, number: Int, _ care: Care = Care()) {
    self.number = number
    controller = ViewController(care)
    balance = Observer(account, \.balance)
    update()
    controller.load(BalanceView())
  }

  /// Shows a changed balance.
  ///
  /// Called at the end of each turn.
  mutating func update() {
    if let balance = balance.change() { controller.model = balance }
  }

  /// Types into the field.
  mutating func type(_ text: String) {
    controller.updateView { $0.field.type(text) }
  }

  /// Presses the return key, which passes a valid amount on and rejects another text with an alert.
  mutating func submit(to account: Account, _ action: (Decimal) -> Void) {
    var typed = ""
    controller.updateView { $0.field.pressReturn { typed = $0 } }
    do throws(Alert) {
      let amount = try account.amount(typed)
      isSubmitting = true
      action(amount)
    } catch {
      alert = error
    }
  }

  /// Clears the field after the withdrawal, unless the text has changed since then.
  mutating func finishSubmit() {
    isSubmitting = false
    controller.updateView { $0.field.fill(with: "") }
  }

  /// Shows the reason for a failed withdrawal, and keeps the text for another attempt.
  mutating func failSubmit(_ alert: Alert) {
    isSubmitting = false
    self.alert = alert
  }

  /// Shows that a balance is being loaded.
  mutating func beginLoad() { loads += 1 }

  /// Ends a load, with an alert if it failed.
  mutating func endLoad(_ alert: Alert?) {
    loads -= 1
    if let alert { self.alert = alert }
  }

  /// Dismisses the alert, or returns false without one.
  mutating func dismiss() -> Bool {
    defer { alert = nil }
    return alert != nil
  }

  /// Shows a balance without keeping it, as a deliberate mistake.
  mutating func show(_ balance: Decimal) { controller.model = balance }

  /// The visible state of the screen.
  var state: ScreenState {
    ScreenState(
      screen: .balance, waiting: loads > 0 || isSubmitting, label: controller.rootView?.label ?? "",
      field: controller.rootView?.field.text ?? "", alert: alert)
  }
}
