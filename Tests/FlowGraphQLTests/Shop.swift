import FlowGraphQL

/// The schema of a shop, which the tests of this folder ask.
enum Shop {
  static let schema = """
    "A shop."
    schema { query: Query mutation: Mutation subscription: Subscription }

    type Query {
      user(id: ID!): User
      users(filter: UserFilter, limit: Int = 10, ids: [ID!]): [User!]!
      order(number: Int!, exact: Boolean! = true): Order
      search(text: String!, kinds: [Kind!]): [Hit!]!
      node(id: ID!): Node
      price(weight: Float, at: DateTime): Float!
      pet: Pet
    }
    type Mutation {
      addUser(user: NewUser!): User!
      rate(order: Int!, stars: Int!): Order
      pay(by: Payment!): Boolean!
    }
    type Subscription { paid: Order! added(kind: Kind): User! }

    interface Node { id: ID! }
    interface Named implements Node { id: ID! name: String }
    type User implements Named & Node {
      id: ID!
      name: String
      email: String!
      kind: Kind!
      born: DateTime
      friends(first: Int): [User]
      orders(open: Boolean, first: Int = 5): [Order!]!
      boss: User
    }
    type Order implements Node { id: ID! number: Int! total: Float! owner: User! lines: [[Int!]!] note: Note }
    type Note { text: String! name: Int }
    union Hit = User | Order
    interface Pet { name: String! }
    type Dog implements Pet { name: String! barks: Boolean! toy(size: Int): String volume: Int }
    type Cat implements Pet { name: String! meows: Boolean! toy(size: Int): String volume: Int! }
    enum Kind { ADMIN STAFF GUEST }
    scalar DateTime
    input UserFilter { name: String kinds: [Kind!] born: DateRange not: UserFilter }
    input DateRange { from: DateTime! to: DateTime }
    input NewUser { name: String! email: String! kind: Kind! = GUEST tags: [String!] boss: ID age: Int }
    input Payment @oneOf { card: String cash: Float }
    directive @trace(name: String!) on QUERY | FIELD | VARIABLE_DEFINITION
    directive @note(text: String) repeatable on FIELD | FRAGMENT_DEFINITION
    """

  /// The schema, read once.
  static func described() throws -> GraphQLSchema { try GraphQLSchema(schema, in: "shop.graphql") }
}
