-- The second statement cannot hold: two customers live in one city.
ALTER TABLE customer ADD COLUMN note TEXT;
CREATE UNIQUE INDEX one_each ON customer (city_id);
