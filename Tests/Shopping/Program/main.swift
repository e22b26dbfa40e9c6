import BalancePlugin
import FlowCommand
import Shopping

await FlowCommand.main([Balance.self, Shopper.self])
