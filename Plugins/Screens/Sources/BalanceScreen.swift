import FlowCore

/// The screen with the balance and the field for what is taken from it.
struct BalanceScreen {
  /// Which screen it is: another one after it was closed and opened again.
  let number: Int
  private(set) var alert: Alert?
  private(set) var isSubmitting = false
  private var controller: ViewController<Decimal, BalanceView>
  private let balance: Observer<Account, Decimal?>
  private var loads = 0

  /// A screen that shows an account's balance as soon as it is known.
  init(_ account: Account, number: Int, _ care: Care = Care()) {
    self.number = number
    controller = ViewController(care)
    balance = Observer(account, \.balance)
    update()
    controller.load(BalanceView())
  }

  /// Shows the balance when it has changed; called at the end of each turn.
  mutating func update() {
    if let balance = balance.change() { controller.model = balance }
  }

  /// Types into the field.
  mutating func type(_ text: String) {
    controller.updateView { $0.field.type(text) }
  }

  /// Presses the return key: an amount that may be taken is passed on, another text is refused in an alert.
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

  /// Clears the field after the amount was taken; what was typed since then stays.
  mutating func finishSubmit() {
    isSubmitting = false
    controller.updateView { $0.field.fill(with: "") }
  }

  /// Says why the amount was not taken; the text stays, to be tried again.
  mutating func failSubmit(_ alert: Alert) {
    isSubmitting = false
    self.alert = alert
  }

  /// Shows that a balance is loaded.
  mutating func beginLoad() { loads += 1 }

  /// Ends that, with an alert where it failed.
  mutating func endLoad(_ alert: Alert?) {
    loads -= 1
    if let alert { self.alert = alert }
  }

  /// Takes the alert away; false when there is none.
  mutating func dismiss() -> Bool {
    defer { alert = nil }
    return alert != nil
  }

  /// Shows a balance without keeping it: what must not be done.
  mutating func show(_ balance: Decimal) { controller.model = balance }

  /// What is seen.
  var state: ScreenState {
    ScreenState(
      screen: .balance, waiting: loads > 0 || isSubmitting, label: controller.rootView?.label ?? "",
      field: controller.rootView?.field.text ?? "", alert: alert)
  }
}
