CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT
);
INSERT INTO customer (id, name, city) VALUES
  (1, 'Ann', 'Pullman'), (2, 'Bob', NULL), (3, 'Cleo', 'Pullman');
