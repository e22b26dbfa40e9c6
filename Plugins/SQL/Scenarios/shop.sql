-- The tables of shop.yaml, made anew.
DROP TABLE IF EXISTS flow_order;
DROP TYPE IF EXISTS flow_state;
CREATE TYPE flow_state AS ENUM ('new', 'paid; sent');
CREATE TABLE flow_order (
  id uuid PRIMARY KEY,
  customer text NOT NULL,
  amount numeric(12, 2) NOT NULL CHECK (amount > 0),
  tags text[] NOT NULL DEFAULT '{}',
  detail jsonb,
  state flow_state NOT NULL DEFAULT 'new',
  placed timestamptz,
  token text UNIQUE
);
