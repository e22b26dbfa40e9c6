import FlowCore
import Testing

@testable import ScreensPlugin

/// The views and what brings models to them, without a component.
@Suite struct ViewTests {
  @Test func `a controller fills its view whichever comes first, and again with another model`() {
    var early = ViewController<Decimal, BalanceView>()
    early.model = Decimal(5)
    early.load(BalanceView())
    var late = ViewController<Decimal, BalanceView>()
    late.load(BalanceView())
    #expect(late.rootView?.label == "")
    late.model = Decimal(5)

    #expect(early.rootView?.label == "5.00")
    #expect(late.rootView?.label == "5.00")
    late.model = Decimal(6)
    #expect(late.rootView?.label == "6.00")
    late.load(BalanceView())
    #expect(late.rootView?.label == "6.00")
  }

  @Test(arguments: [
    ("0", "0.00"), ("87.5", "87.50"), ("12.345", "12.35"), ("-12.345", "-12.35"), ("0.005", "0.01"),
    ("-0.005", "-0.01"), ("0.0049999", "0.00"), ("1e3", "1000.00"), ("-0.05", "-0.05"),
    ("170141183460469231731687303715884105.727", "170141183460469231731687303715884105.73"),
    ("-170141183460469231731687303715884105.727", "-170141183460469231731687303715884105.73"),
  ]) func `a balance has two decimals, rounded away from zero`(_ amount: String, _ text: String) {
    #expect(Decimal(amount)?.money == text)
  }

  @Test func `a field that is typed into is not overwritten`() {
    var (field, passed) = (TextField(), [String]())
    field.fill(with: "model")
    field.type("mine")
    field.fill(with: "model again")
    #expect(field.text == "mine")

    field.pressReturn { passed.append($0) }
    field.fill(with: "")

    #expect(passed == ["mine"])
    #expect(field.text == "")
  }

  @Test func `an answer for a path that is not shown any more is ignored`() {
    var paths: [String] = []
    var view = ImageView { paths.append($0) }
    #expect(view.content == .placeholder)
    view.fill(with: "a")
    view.fill(with: "b")
    view.receive(.shown(Picture(width: 1, height: 1)), for: "a")
    #expect(view.content == .loading)

    view.receive(.broken("missing"), for: "b")

    #expect(view.content == .broken("missing"))
    #expect(paths == ["a", "b"])
  }

  @Test func `a picture that is shown stays when an earlier request for it fails`() {
    var view = ImageView { _ in }
    for path in ["a", "b", "a"] { view.fill(with: path) }
    let picture = ImageView.Content.shown(Picture(width: 1, height: 1))

    view.receive(picture, for: "a")
    view.receive(.broken("unavailable"), for: "a")

    #expect(view.content == picture)
  }

  @Test func `a picture is asked for again only when it was broken`() {
    var count = 0
    var view = ImageView { _ in count += 1 }
    view.fill(with: "a")
    view.fill(with: "a")
    view.receive(.shown(Picture(width: 1, height: 1)), for: "a")
    view.fill(with: "a")
    #expect(count == 1)

    view.fill(with: "b")
    view.receive(.broken("unavailable"), for: "b")
    view.fill(with: "b")
    view.fill(with: "")

    #expect(count == 3)
    #expect(view.content == .placeholder)
  }

  @Test func `a view without a loader keeps its placeholder`() {
    var view = PlaceView(picture: ImageView(load: nil))
    view.fill(with: Place(title: "Barn", city: "Pullman", state: "Washington", image: "a"))

    #expect(view.title == "Barn")
    #expect(view.subtitle == "Pullman, Washington")
    #expect(view.picture.content == .placeholder)
  }

  @Test func `an observer notices changes once, and ends with its owner`() {
    let account = Account()
    var observer: Observer<Account, Decimal?>? = Observer(account, \.balance)
    weak let mark = observer?.mark
    #expect(observer?.change() == .some(nil))
    #expect(observer?.change() == nil)

    account.hear(Decimal(1))
    account.hear(Decimal(2))
    #expect(observer?.change() == Decimal(2))
    account.hear(Decimal(2))
    #expect(observer?.change() == nil)

    observer = nil
    #expect(mark == nil)
    account.hear(Decimal(3))
  }
}
